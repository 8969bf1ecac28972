package dev.sro.core.allocation;

import dev.sro.core.allocation.ClaimDemand.Ask;
import dev.sro.core.allocation.ClaimDemand.Choice;
import dev.sro.core.claim.DeviceTaints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many slices have to move at least so that a gang has room: wherever its slices go, those that overlap with them have to go from there. For each GPU it
 * is counted how many these are for whatever part of the gang it carries, and the parts are put together as cheaply as can be. Which slices belong to one
 * pod, where those that move go, and what nodes have beside devices is left out, so that no plan moves fewer. For one look; not thread-safe.
 */
final class MoveBound {
    /** Parts of a gang that are told apart at most: of 511 slices of one kind, or of nine that all are different. */
    private static final int MOST_PARTS = 512;

    /** More than any plan moves. */
    private static final int NEVER = 1_000_000;

    private final String taint;
    private final Set<String> gone = new HashSet<>();
    private final Set<String> free;
    private final List<Kind> kinds = new ArrayList<>();
    private final int[] step;
    private final int parts;

    /** So many slices that the same serves, of pods that may be on some nodes. */
    private record Kind(Choice choice, Set<String> nodes, int count) {}

    /** A place for a slice of a kind: where, and what it overlaps with. */
    private record Spot(int placement, int window) {}

    private MoveBound(String taint, List<Kind> kinds, List<MovablePod> movable, Set<String> free) {
        this.taint = taint;
        this.kinds.addAll(kinds);
        this.free = free;
        movable.forEach(pod -> gone.addAll(pod.claims()));
        gone.addAll(free);
        step = new int[kinds.size()];
        int all = 1;
        for (int i = 0; i < kinds.size(); i++) {
            step[i] = all;
            all *= kinds.get(i).count() + 1;
        }
        parts = all;
    }

    /**
     * The number, one at least, as there is no room as it is.
     *
     * @param taint that every device bears
     * @param free claims that have nothing for this
     */
    static int of(
            List<HeldGpu> gpus, String taint, List<PodDemand> waiting, List<MovablePod> movable, Set<String> free) {
        Optional<List<Kind>> kinds = kinds(waiting);
        return kinds.isEmpty() ? 1 : Math.max(1, new MoveBound(taint, kinds.get(), movable, free).fewest(gpus));
    }

    /** Empty where a request may be served by one thing or another, or there are too many parts. */
    private static Optional<List<Kind>> kinds(List<PodDemand> waiting) {
        Map<List<Object>, Kind> kinds = new LinkedHashMap<>();
        for (PodDemand pod : waiting) {
            for (ClaimDemand claim : pod.claims()) {
                for (Ask ask : claim.asks()) {
                    Choice choice = ask.choices().get(0);
                    if (ask.choices().size() > 1) {
                        return Optional.empty();
                    }
                    Set<String> nodes = Set.copyOf(pod.nodes());
                    kinds.merge(
                            List.of(choice.selectors(), choice.tolerations(), nodes),
                            new Kind(choice, nodes, choice.count()),
                            (one, other) -> new Kind(choice, nodes, one.count() + other.count()));
                }
            }
        }
        long parts = 1;
        for (Kind kind : kinds.values()) {
            parts = Math.min(parts * (kind.count() + 1L), MOST_PARTS + 1L);
        }
        return parts > MOST_PARTS ? Optional.empty() : Optional.of(List.copyOf(kinds.values()));
    }

    private int fewest(List<HeldGpu> gpus) {
        int[] cost = new int[parts];
        Arrays.fill(cost, NEVER);
        cost[0] = 0;
        Map<Object, Map<Integer, Integer>> known = new HashMap<>();
        for (HeldGpu gpu : gpus) {
            Part part = new Part(gpu);
            Map<Integer, Integer> costs = known.computeIfAbsent(part.key(), key -> part.costs());
            int[] with = cost.clone();
            costs.forEach((carried, moved) -> {
                for (int before = 0; before < parts; before++) {
                    if (cost[before] < NEVER && goTogether(before, carried)) {
                        with[before + carried] = Math.min(with[before + carried], cost[before] + moved);
                    }
                }
            });
            System.arraycopy(with, 0, cost, 0, parts);
        }
        return cost[parts - 1];
    }

    private boolean goTogether(int one, int other) {
        for (int i = 0; i < step.length; i++) {
            int base = kinds.get(i).count() + 1;
            if (one / step[i] % base + other / step[i] % base >= base) {
                return false;
            }
        }
        return true;
    }

    /** What one GPU can carry. */
    private final class Part {
        private final GpuUse stays;
        private final List<Integer> move = new ArrayList<>();
        private final List<List<Spot>> spots = new ArrayList<>();
        private final Object geometry;
        private final Map<Integer, Integer> costs = new HashMap<>();

        Part(HeldGpu held) {
            FleetGpu gpu = held.gpu();
            geometry = gpu.geometry().map(System::identityHashCode).orElse(0);
            Set<String> had = new HashSet<>();
            held.claims().forEach((device, claims) -> {
                FleetGpu.Slot slot = gpu.slot(device);
                if (!gone.containsAll(claims)) {
                    had.add(device);
                } else if (slot != null && !free.containsAll(claims)) {
                    move.add(slot.window());
                }
            });
            stays = gpu.use(had);
            move.sort(null);
            kinds.forEach(
                    kind -> spots.add(kind.nodes().contains(held.node()) ? spots(gpu, kind.choice()) : List.of()));
        }

        private List<Spot> spots(FleetGpu gpu, Choice choice) {
            List<Spot> found = new ArrayList<>();
            gpu.selected(choice.selectors()).stream().sorted().forEach(name -> {
                FleetGpu.Slot slot = gpu.slot(name);
                if (slot != null
                        && slot.placement().isPresent()
                        && DeviceTaints.against(slot.device(), choice.tolerations(), taint)
                                .isEmpty()) {
                    found.add(new Spot(slot.placement().get(), slot.window()));
                }
            });
            return found;
        }

        /** The same for GPUs that carry the same at the same cost. */
        Object key() {
            return List.of(geometry, stays.key(), move, spots);
        }

        /** How many have to move from it, by the part of the gang that it carries. */
        Map<Integer, Integer> costs() {
            carry(0, 0, 0, 0, stays, 0);
            return costs;
        }

        private void carry(int kind, int first, int count, int carried, GpuUse use, int window) {
            if (carried > 0) {
                int moved =
                        (int) move.stream().filter(one -> (one & window) != 0).count();
                costs.merge(carried, moved, Math::min);
            }
            if (kind == kinds.size()) {
                return;
            }
            if (count < kinds.get(kind).count()) {
                for (int i = first; i < spots.get(kind).size(); i++) {
                    Spot spot = spots.get(kind).get(i);
                    if (use.fits(spot.placement())) {
                        carry(
                                kind,
                                i + 1,
                                count + 1,
                                carried + step[kind],
                                use.with(spot.placement()),
                                window | spot.window());
                    }
                }
            }
            carry(kind + 1, 0, 0, carried, use, window);
        }
    }
}
