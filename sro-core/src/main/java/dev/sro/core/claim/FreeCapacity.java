package dev.sro.core.claim;

import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceException;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whether there is room on some GPUs for what is asked for. Immutable. */
final class FreeCapacity {
    /** So many holders are tried; beyond, the answer is not worth the time. */
    private static final int MOST_HOLDERS = 500;

    private final PublishedFleet fleet;
    private final List<SliceChoice> choices;
    private final Spread spread;
    private final boolean taints;
    private final Map<String, List<TaintedDevice>> tainted = new HashMap<>();

    /**
     * @param choices what is asked for, all of it at the same time
     * @param together whether one GPU has to serve all
     */
    FreeCapacity(PublishedFleet fleet, List<SliceChoice> choices, boolean together) {
        this(fleet, choices, together ? Spread.SAME_DEVICE : Spread.SAME_NODE, true);
    }

    /** On any GPUs, each of what is asked for. */
    static FreeCapacity anywhere(PublishedFleet fleet, List<SliceChoice> choices) {
        return new FreeCapacity(fleet, choices, Spread.ANYWHERE, true);
    }

    /** @param taints whether they keep anybody from anything */
    private FreeCapacity(PublishedFleet fleet, List<SliceChoice> choices, Spread spread, boolean taints) {
        this.fleet = fleet;
        this.choices = List.copyOf(choices);
        this.spread = spread;
        this.taints = taints;
        this.choices.forEach(choice -> choice.tainted()
                .forEach(device -> tainted.computeIfAbsent(device.gpu().node(), node -> new ArrayList<>())
                        .add(device)));
    }

    /** All that is asked for, in words. */
    String text() {
        return String.join(" and ", choices.stream().map(SliceChoice::toString).toList());
    }

    /** How many slices of each profile are asked for. */
    Map<String, Long> wanted() {
        Map<String, Long> wanted = new TreeMap<>();
        choices.forEach(choice -> wanted.merge(choice.profile(), (long) choice.count(), Long::sum));
        return wanted;
    }

    /** Whether one GPU has to serve all. */
    boolean together() {
        return spread == Spread.SAME_DEVICE;
    }

    /** Devices of these nodes that would do, and have a taint that a request does not tolerate. */
    List<TaintedDevice> tainted(Set<String> nodes) {
        return nodes.size() == 1
                ? tainted.getOrDefault(nodes.iterator().next(), List.of())
                : choices.stream()
                        .flatMap(choice -> choice.tainted().stream())
                        .filter(device -> nodes.contains(device.gpu().node()))
                        .toList();
    }

    /** Whether any device that would do has such a taint. */
    boolean anyTainted() {
        return !tainted.isEmpty();
    }

    /** The same as if nothing were tainted. */
    FreeCapacity untainted() {
        return new FreeCapacity(
                fleet, choices.stream().map(SliceChoice::untainted).toList(), spread, false);
    }

    /** An allocator with GPUs of these nodes that serve at least one of the choices. */
    SliceAllocator allocator(Set<String> nodes) {
        Map<String, Map<String, String>> labels = new TreeMap<>();
        Map<String, List<PublishedFleet.Place>> barred = new TreeMap<>();
        nodes.stream().flatMap(node -> fleet.gpus(node).stream()).forEach(gpu -> {
            Map<String, String> own = new TreeMap<>();
            for (int i = 0; i < choices.size(); i++) {
                if (choices.get(i).gpus().contains(gpu.id())) {
                    own.put("choice-" + i, "yes");
                }
            }
            if (!own.isEmpty()) {
                labels.put(gpu.id(), own);
                barred.put(gpu.id(), taints ? barred(gpu) : List.of());
            }
        });
        return fleet.allocator(labels, barred);
    }

    /** Places that are tainted, but for those of what is asked for where that is tolerated. */
    private List<PublishedFleet.Place> barred(PublishedFleet.Gpu gpu) {
        String own = DraOptions.allocatorTaint(gpu.driver());
        return gpu.places().stream()
                .filter(place ->
                        DeviceTaints.against(place.device(), List.of(), own).isPresent())
                .filter(place -> choices.stream()
                        .filter(choice -> choice.profile().equals(place.profile()))
                        .allMatch(choice -> choice.tainted().stream()
                                .anyMatch(device -> device.place().equals(place))))
                .toList();
    }

    /** What would become of it; empty where no GPU offers it. */
    Optional<Decision> decide(SliceAllocator allocator) {
        try {
            List<SliceRequest> requests = requests(allocator);
            return Optional.of(
                    requests.size() == 1
                            ? allocator.allocate(requests.get(0))
                            : allocator.allocateGang(requests, spread));
        } catch (SliceException e) {
            return Optional.empty();
        }
    }

    /** Labels are asked for only where not all GPUs have them, as moves keep to the GPUs that a request names. */
    private List<SliceRequest> requests(SliceAllocator allocator) {
        List<SliceRequest> requests = new ArrayList<>();
        for (int i = 0; i < choices.size(); i++) {
            String label = "choice-" + i;
            boolean all = allocator.devices().stream()
                    .allMatch(device -> device.labels().containsKey(label));
            for (int n = 0; n < choices.get(i).count(); n++) {
                requests.add(SliceRequest.builder()
                        .claim("waiting-" + i + "-" + n)
                        .profile(choices.get(i).profile())
                        .labels(all ? Map.of() : Map.of(label, "yes"))
                        .build());
            }
        }
        return requests;
    }

    /** Who alone would make room by ending, those with the least first. */
    List<String> ends(Set<String> nodes) {
        SliceAllocator allocator = allocator(nodes);
        Map<String, List<SliceClaim>> held = new TreeMap<>();
        allocator
                .claims()
                .forEach(claim -> held.computeIfAbsent(holder(claim.id()), key -> new ArrayList<>())
                        .add(claim));
        Map<Integer, Set<String>> bySize = new TreeMap<>();
        held.entrySet().stream().limit(MOST_HOLDERS).forEach(entry -> {
            SliceAllocator without = allocator.whatIf();
            entry.getValue().forEach(claim -> without.release(claim.id()));
            if (decide(without).filter(Decision::granted).isPresent()) {
                bySize.computeIfAbsent(size(allocator, entry.getValue()), key -> new TreeSet<>())
                        .add(entry.getKey());
            }
        });
        List<String> ends = new ArrayList<>();
        bySize.values().forEach(ends::addAll);
        return ends;
    }

    /** The node that carries the first slice of a holder. */
    Optional<String> node(String holder) {
        return fleet.gpus().stream()
                .filter(gpu -> gpu.uses().stream().anyMatch(use -> use.holder().equals(holder)))
                .map(PublishedFleet.Gpu::node)
                .findFirst();
    }

    private static String holder(String claim) {
        return claim.replaceAll(" \\([0-9]+\\)$", "");
    }

    private static int size(SliceAllocator allocator, List<SliceClaim> claims) {
        int size = 0;
        for (SliceClaim claim : claims) {
            size += allocator.devices().stream()
                    .filter(device -> device.id().equals(claim.device()))
                    .flatMap(device -> device.model().profile(claim.profile()).stream())
                    .mapToInt(profile -> profile.size())
                    .sum();
        }
        return size;
    }
}
