package dev.sro.core.allocation;

import dev.sro.core.allocation.ClaimDemand.Ask;
import dev.sro.core.allocation.ClaimDemand.Choice;
import dev.sro.core.allocation.ClaimDemand.Rule;
import dev.sro.core.claim.DeviceTaints;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices of one node for all claims of a pod: wide ones first, of each the place that the policy likes best, and goes back where that leads
 * nowhere, or where whoever asks does not want what was found. For one search.
 */
final class NodeSearch {
    /** Places that are tried at most; beyond, the node counts as full. */
    private static final int MOST_STEPS = 4_000;

    /** Of alternatives, how much an earlier one is worth: more than any place. */
    private static final double ALTERNATIVE = 1e9;

    private static final double SHARE = 1e6;

    private final FleetView fleet;
    private final PodDemand pod;
    private final String node;
    private final List<FleetGpu> gpus;
    private final List<GpuUse> uses;
    private final PlacementPolicies policies;
    private final List<Item> items = new ArrayList<>();
    private final List<Taken> taken = new ArrayList<>();
    private final Set<Object> deadEnds = new HashSet<>();
    private int steps;
    private int own;
    private int offersLeft = 1;
    private boolean early;
    private Predicate<Fit> wanted = fit -> true;
    private @Nullable Fit found;

    /** A request of a claim. */
    private record Item(ClaimDemand claim, Ask ask) {}

    /** A device that is had by the pod, or was chosen for it. */
    private record Taken(
            String claim, String request, FleetGpu gpu, Device device, List<DeviceToleration> tolerations) {}

    /** A place that will do. */
    private record Candidate(int gpu, FleetGpu.Slot slot, int placement, double cost) {}

    /**
     * Devices for a pod on a node.
     *
     * @param devices those that were chosen
     * @param uses of the node's GPUs afterwards, in their order
     * @param cost how little the policy likes it
     */
    record Fit(List<PlacedDevice> devices, List<GpuUse> uses, double cost) {}

    NodeSearch(FleetView fleet, PodDemand pod, String node, NodeState state, PlacementPolicies policies) {
        this.fleet = fleet;
        this.pod = pod;
        this.node = node;
        this.gpus = state.gpus();
        this.uses = new ArrayList<>(state.uses());
        this.policies = policies;
        for (String claim : pod.had()) {
            fleet.devices(claim, gpus)
                    .forEach((gpu, devices) ->
                            devices.forEach(device -> taken.add(new Taken(claim, "", gpu, device, List.of()))));
        }
        pod.claims().forEach(claim -> claim.asks().forEach(ask -> items.add(new Item(claim, ask))));
    }

    /** The first that there is. */
    Optional<Fit> find() {
        return find(fit -> true, 1);
    }

    /**
     * The first that is wanted, of the best.
     *
     * @param offers ways for the pod to be on the node that are offered at most
     */
    Optional<Fit> find(Predicate<Fit> asked, int offers) {
        if (gpus.isEmpty()) {
            return Optional.empty();
        }
        Map<Item, Integer> width = new HashMap<>();
        items.forEach(item -> width.put(item, width(item)));
        items.sort(Comparator.comparingInt((Item item) -> -width.getOrDefault(item, 0)));
        own = taken.size();
        wanted = asked;
        offersLeft = offers;
        return item(0, new double[1]) ? Optional.ofNullable(found) : Optional.empty();
    }

    /** Whether it ended before all was tried. */
    boolean endedEarly() {
        return early;
    }

    private boolean offer(double cost) {
        List<PlacedDevice> devices = taken.subList(own, taken.size()).stream()
                .map(one -> new PlacedDevice(
                        one.claim(),
                        one.request(),
                        node,
                        one.gpu().id(),
                        one.gpu().pool(),
                        one.device().getName(),
                        one.tolerations()))
                .toList();
        Fit fit = new Fit(devices, List.copyOf(uses), cost);
        if (wanted.test(fit)) {
            found = fit;
            return true;
        }
        if (--offersLeft == 0) {
            steps = MOST_STEPS;
        }
        return false;
    }

    private int width(Item item) {
        List<String> selectors = item.ask().choices().get(0).selectors();
        int most = 0;
        for (FleetGpu gpu : gpus) {
            for (String name : gpu.selected(selectors)) {
                FleetGpu.Slot slot = gpu.slot(name);
                most = Math.max(most, slot == null ? 0 : Integer.bitCount(slot.window()));
            }
        }
        return most;
    }

    private boolean item(int number, double[] cost) {
        if (number == items.size()) {
            // The same devices for other requests leave the same to those that come after.
            return deadEnds.add(uses.stream().map(GpuUse::key).toList()) && offer(cost[0]);
        }
        Item item = items.get(number);
        for (int rank = 0; rank < item.ask().choices().size(); rank++) {
            cost[0] += rank * ALTERNATIVE;
            if (device(number, item.ask().choices().get(rank), 0, cost)) {
                return true;
            }
            cost[0] -= rank * ALTERNATIVE;
        }
        return false;
    }

    private boolean device(int number, Choice choice, int had, double[] cost) {
        if (had == choice.count()) {
            return item(number + 1, cost);
        }
        Object key = key(number, choice, had);
        if (deadEnds.contains(key)) {
            return false;
        }
        ClaimDemand claim = items.get(number).claim();
        for (Candidate candidate : candidates(claim, choice)) {
            if (++steps > MOST_STEPS) {
                early = true;
                return false;
            }
            GpuUse before = uses.get(candidate.gpu());
            uses.set(candidate.gpu(), before.with(candidate.placement()));
            taken.add(new Taken(
                    claim.uid(),
                    choice.request(),
                    gpus.get(candidate.gpu()),
                    candidate.slot().device(),
                    choice.tolerations()));
            cost[0] += candidate.cost();
            if (device(number, choice, had + 1, cost)) {
                return true;
            }
            cost[0] -= candidate.cost();
            taken.remove(taken.size() - 1);
            uses.set(candidate.gpu(), before);
        }
        deadEnds.add(key);
        return false;
    }

    /** The same where the same is still to be found: rules look at what was taken before, but not at the order in which. */
    private Object key(int number, Choice choice, int had) {
        List<Object> key = new ArrayList<>();
        key.add(number + "/" + choice.request() + "/" + had);
        uses.forEach(use -> key.add(use.key()));
        if (pod.spread() != Spread.ANYWHERE
                || pod.claims().stream().anyMatch(claim -> !claim.rules().isEmpty())) {
            Set<String> names = new HashSet<>();
            taken.forEach(one -> names.add(
                    one.claim() + one.request() + one.gpu().id() + one.device().getName()));
            key.add(names);
        }
        return key;
    }

    private List<Candidate> candidates(ClaimDemand claim, Choice choice) {
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < gpus.size(); i++) {
            FleetGpu gpu = gpus.get(i);
            if (!spread(gpu)) {
                continue;
            }
            for (String name : gpu.selected(choice.selectors())) {
                FleetGpu.Slot slot = gpu.slot(name);
                if (slot != null
                        && slot.placement().isPresent()
                        && uses.get(i).fits(slot.placement().get())
                        && DeviceTaints.against(slot.device(), choice.tolerations(), fleet.taint())
                                .isEmpty()
                        && kept(claim, choice.request(), gpu, slot.device())) {
                    candidates.add(candidate(i, slot, slot.placement().get()));
                }
            }
        }
        candidates.sort(Comparator.comparingDouble(Candidate::cost)
                .thenComparingInt(candidate -> uses.get(candidate.gpu()).freeUnits())
                .thenComparingInt(Candidate::gpu)
                .thenComparingInt(Candidate::placement));
        return candidates;
    }

    private Candidate candidate(int gpu, FleetGpu.Slot slot, int placement) {
        GpuUse use = uses.get(gpu);
        Optional<Geometry> geometry = gpus.get(gpu).geometry();
        if (placement == FleetGpu.WHOLE || geometry.isEmpty() || use.load().isEmpty()) {
            return new Candidate(gpu, slot, placement, SHARE);
        }
        PlacementPolicy policy = policies.of(geometry.get());
        int before = use.load().get().occupancy();
        double share = (double) Integer.bitCount(geometry.get().windowOf(placement))
                / geometry.get().units();
        double cost =
                policy.cost(geometry.get(), before, placement, geometry.get().add(before, placement));
        // Costs that differ by rounding alone are equal.
        double rounded = Math.rint(cost / PlacementPolicy.TOLERANCE) * PlacementPolicy.TOLERANCE;
        return new Candidate(gpu, slot, placement, share * SHARE + rounded);
    }

    private boolean spread(FleetGpu gpu) {
        return switch (pod.spread()) {
            case SAME_DEVICE -> taken.stream().allMatch(one -> one.gpu() == gpu);
            case DIFFERENT_DEVICES -> taken.stream().noneMatch(one -> one.gpu() == gpu);
            default -> true;
        };
    }

    private boolean kept(ClaimDemand claim, String request, FleetGpu gpu, Device device) {
        for (Rule rule : claim.rules()) {
            if (!rule.covers(request)) {
                continue;
            }
            Optional<Object> value = gpu.attribute(device, rule.attribute());
            if (value.isEmpty()) {
                return false;
            }
            for (Taken other : taken) {
                if (other.claim().equals(claim.uid())
                        && rule.covers(other.request())
                        && other.gpu()
                                        .attribute(other.device(), rule.attribute())
                                        .equals(value)
                                == rule.distinct()) {
                    return false;
                }
            }
        }
        return true;
    }
}
