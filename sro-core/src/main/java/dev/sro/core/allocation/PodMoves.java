package dev.sro.core.allocation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Moves for one pod: single pods are tried one by one, and what else to try the planner of the slicing library says. For one search; not thread-safe.
 */
final class PodMoves {
    /** Nodes that are looked at, each with several searches. */
    private static final int MOST_NODES = 64;

    private final MoveTrials trials;
    private final Optional<SliceMoves> planner;
    private final PodDemand waiting;
    private final List<MovablePod> movable;
    private final int mostMoves;
    private final Map<String, List<MovablePod>> byNode = new LinkedHashMap<>();
    private final Set<Set<String>> tried = new HashSet<>();
    private Optional<RoomPlan> best = Optional.empty();

    /** @param movable the easiest first */
    PodMoves(
            MoveTrials trials,
            Optional<SliceMoves> planner,
            PodDemand waiting,
            List<MovablePod> movable,
            int mostMoves) {
        this.trials = trials;
        this.planner = planner;
        this.waiting = waiting;
        this.movable = movable;
        this.mostMoves = mostMoves;
        movable.forEach(pod ->
                byNode.computeIfAbsent(pod.node(), node -> new ArrayList<>()).add(pod));
    }

    /** The plan that moves fewest slices of those that were found, then fewest pods; empty if none was. */
    Optional<RoomPlan> find() {
        List<String> open = waiting.nodes().stream()
                .filter(byNode::containsKey)
                .limit(MOST_NODES)
                .filter(node -> trials.fits(waiting, node, byNode.getOrDefault(node, List.of())))
                .toList();
        for (String node : open) {
            for (MovablePod pod : byNode.getOrDefault(node, List.of())) {
                if (trials.fits(waiting, node, List.of(pod))) {
                    attempt(List.of(pod));
                }
                if (best.filter(plan -> plan.slices() == 1).isPresent()) {
                    return best;
                }
            }
        }
        if (open.isEmpty() || mostMoves < 2) {
            return best;
        }
        int needed = proposals(open);
        open.forEach(node -> attempt(fewest(node)));
        return best.map(plan -> plan.proving(needed));
    }

    /** Tries what the planner says; how many slices have to move at least: one, as there is no room as it is. */
    private int proposals(List<String> open) {
        if (planner.isEmpty()) {
            return 1;
        }
        SliceMoves moves = planner.get();
        Optional<SliceMoves.Proposal> all = moves.within(node -> true, mostMoves);
        attempt(all);
        attempt(moves.within(waiting.nodes()::contains, mostMoves));
        for (String node : open) {
            attempt(moves.within(node::equals, mostMoves));
        }
        return all.filter(SliceMoves.Proposal::proved)
                .map(SliceMoves.Proposal::slices)
                .orElse(1);
    }

    private void attempt(Optional<SliceMoves.Proposal> proposal) {
        proposal.ifPresent(found -> attempt(
                movable.stream().filter(pod -> found.pods().contains(pod.uid())).toList()));
    }

    /** Of all that may move on a node those that have to, the dearest first let off. */
    private List<MovablePod> fewest(String node) {
        List<MovablePod> all = byNode.getOrDefault(node, List.of());
        List<MovablePod> leaving = new ArrayList<>(all);
        for (int i = all.size() - 1; i >= 0; i--) {
            leaving.remove(all.get(i));
            if (leaving.isEmpty() || !trials.fits(waiting, node, leaving)) {
                leaving.add(all.get(i));
            }
        }
        return leaving;
    }

    /** Notes a plan with these pods, if there is one and it is better. */
    private void attempt(List<MovablePod> leaving) {
        Set<String> names = new HashSet<>();
        leaving.forEach(pod -> names.add(pod.uid()));
        if (!leaving.isEmpty() && leaving.size() <= mostMoves && isBetter(leaving) && tried.add(names)) {
            trials.plan(leaving).ifPresent(plan -> best = Optional.of(plan));
        }
    }

    private boolean isBetter(List<MovablePod> leaving) {
        int slices = MovablePod.sum(leaving);
        return best.isEmpty()
                || slices < best.get().slices()
                || (slices == best.get().slices()
                        && leaving.size() < best.get().moves().size());
    }
}
