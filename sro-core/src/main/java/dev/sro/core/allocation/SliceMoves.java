package dev.sro.core.allocation;

import dev.sro.core.allocation.ClaimDemand.Choice;
import dev.sro.core.slicing.MovePlan;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceException;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Asks the planner of the slicing library which slices to move. It knows models and places and nothing of nodes, pods and rules, so what it says is a
 * proposal; and no plan moves fewer slices than it proves to be needed, as its world has fewer rules. For one look; not thread-safe.
 */
final class SliceMoves {
    private final SliceAllocator allocator;
    private final List<SliceRequest> requests;
    private final Spread spread;
    private final Map<String, String> podOfClaim = new HashMap<>();
    private final Map<String, String> claimOfSlice = new HashMap<>();
    /** Whether its world has whatever can be done, so that what it proves holds. */
    private boolean whole = true;

    /**
     * Moves that make room.
     *
     * @param pods UIDs of those that have the slices
     * @param slices how many
     * @param proved whether no fewer do
     */
    record Proposal(Set<String> pods, int slices, boolean proved) {}

    private SliceMoves(List<SliceRequest> requests, Spread spread) {
        this.allocator = SliceAllocator.create();
        this.requests = requests;
        this.spread = spread;
    }

    /**
     * With these GPUs; empty where slices are not what is asked for.
     *
     * @param free claims that have nothing for this
     */
    static Optional<SliceMoves> of(
            List<HeldGpu> gpus, List<PodDemand> waiting, List<MovablePod> movable, Set<String> free) {
        List<SliceRequest> requests = new ArrayList<>();
        for (Choice choice : choices(waiting)) {
            Optional<String> profile = profile(gpus, choice);
            if (profile.isEmpty()) {
                return Optional.empty();
            }
            for (int i = 0; i < choice.count(); i++) {
                requests.add(SliceRequest.of("waiting/" + requests.size(), profile.get()));
            }
        }
        Spread own = waiting.get(0).spread();
        // How the slices of each pod of a gang lie to each other, it cannot be told.
        Spread spread = waiting.size() > 1 ? Spread.ANYWHERE : own == Spread.ANYWHERE ? Spread.SAME_NODE : own;
        SliceMoves moves = new SliceMoves(requests, spread);
        movable.forEach(pod -> pod.claims().forEach(claim -> moves.podOfClaim.put(claim, pod.uid())));
        moves.whole = requests.size() == 1 && single(waiting) && single(nexts(movable)) && oneModel(gpus);
        gpus.forEach(gpu -> moves.add(gpu, free));
        return Optional.of(moves);
    }

    /** What is asked for first. */
    private static List<Choice> choices(List<PodDemand> pods) {
        return pods.stream()
                .flatMap(pod -> pod.claims().stream())
                .flatMap(claim -> claim.asks().stream())
                .map(ask -> ask.choices().get(0))
                .toList();
    }

    private static List<PodDemand> nexts(List<MovablePod> movable) {
        return movable.stream().map(MovablePod::next).toList();
    }

    /** Who may take one thing or another may take less than it has. */
    private static boolean single(List<PodDemand> pods) {
        return pods.stream()
                .flatMap(pod -> pod.claims().stream())
                .flatMap(claim -> claim.asks().stream())
                .allMatch(ask -> ask.choices().size() == 1);
    }

    /** A slice may have a place on a GPU of another model, too. */
    private static boolean oneModel(List<HeldGpu> gpus) {
        return gpus.stream().noneMatch(HeldGpu::kept)
                && gpus.stream()
                                .map(gpu -> gpu.gpu().geometry().map(Geometry::model))
                                .distinct()
                                .count()
                        == 1;
    }

    /** What profile is asked for, if it is one. */
    private static Optional<String> profile(List<HeldGpu> gpus, Choice choice) {
        Set<String> profiles = new TreeSet<>();
        for (HeldGpu held : gpus) {
            for (String name : held.gpu().selected(choice.selectors())) {
                FleetGpu.Slot slot = held.gpu().slot(name);
                if (slot != null && slot.placement().isPresent()) {
                    profiles.add(profile(held.gpu(), slot.placement().get()));
                }
            }
        }
        return profiles.size() == 1
                ? profiles.stream().filter(name -> !name.isEmpty()).findFirst()
                : Optional.empty();
    }

    private static String profile(FleetGpu gpu, int placement) {
        return placement == FleetGpu.WHOLE
                ? ""
                : gpu.geometry()
                        .map(known -> known.profile(known.profileOf(placement)).name())
                        .orElse("");
    }

    private void add(HeldGpu held, Set<String> free) {
        Optional<Geometry> geometry = held.gpu().geometry();
        if (geometry.isEmpty()) {
            return;
        }
        String id = held.gpu().id();
        allocator.addDevice(SliceDevice.of(id, geometry.get().model(), held.node()));
        boolean known = !held.kept();
        for (Map.Entry<String, Set<String>> entry : held.claims().entrySet()) {
            String claim = new TreeSet<>(entry.getValue()).first();
            known &= free.containsAll(entry.getValue()) || adopt(held, geometry.get(), entry.getKey(), claim);
        }
        if (!known) {
            whole = false;
            allocator.cordon(id, true);
        }
    }

    private boolean adopt(HeldGpu held, Geometry geometry, String device, String claim) {
        FleetGpu.Slot slot = held.gpu().slot(device);
        int placement = slot == null ? FleetGpu.WHOLE : slot.placement().orElse(FleetGpu.WHOLE);
        if (placement == FleetGpu.WHOLE) {
            return false;
        }
        String name = claim + "/" + device;
        try {
            allocator.adopt(SliceClaim.builder()
                    .id(name)
                    .device(held.gpu().id())
                    .profile(profile(held.gpu(), placement))
                    .start(geometry.startOf(placement))
                    .pinned(!podOfClaim.containsKey(claim))
                    .build());
            claimOfSlice.put(name, claim);
            return true;
        } catch (SliceException e) {
            // Two have the same place: nothing is planned there.
            return false;
        }
    }

    /** The cheapest moves on the GPUs of some nodes. */
    Optional<Proposal> within(Predicate<String> nodes, int most) {
        SliceAllocator some = allocator.whatIf();
        boolean all = true;
        for (SliceDevice device : some.devices()) {
            if (!nodes.test(device.node())) {
                some.cordon(device.id(), true);
                all = false;
            }
        }
        boolean complete = all && whole;
        try {
            Optional<MovePlan> plan = requests.size() == 1
                    ? some.planAdmission(requests.get(0), most)
                    : some.planGang(requests, spread, most);
            return plan.map(found -> proposal(found, complete));
        } catch (SliceException e) {
            return Optional.empty();
        }
    }

    private Proposal proposal(MovePlan plan, boolean complete) {
        Set<String> pods = plan.moves().stream()
                .map(move -> podOfClaim.get(claimOfSlice.get(move.claim())))
                .collect(Collectors.toCollection(HashSet::new));
        return new Proposal(pods, plan.moves().size(), complete && plan.minimal());
    }
}
