package dev.sro.core.allocation;

import dev.sro.core.allocation.RoomPlan.PodMove;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the fewest slices whose pods have to move so that one that waits has room, where each of them has a place to go to. Single pods are tried one by
 * one; what else to try the planner of the slicing library says, and what counts is whether all of them can be placed by the rules that hold when they come.
 * For one look; not thread-safe.
 */
public final class MoveSearch {
    /** Nodes that are looked at, each with several searches. */
    private static final int MOST_NODES = 64;

    private static final Comparator<MovablePod> EASIEST = Comparator.comparingInt(MovablePod::slices)
            .thenComparing(pod -> pod.next().key());

    private final AllocationFleet fleet;
    private final Room room;
    private final PodDemand waiting;
    private final List<MovablePod> movable;
    private final Set<String> free;
    private final int mostMoves;
    private final Map<String, List<MovablePod>> byNode = new LinkedHashMap<>();
    private final Set<Set<String>> tried = new HashSet<>();
    private Optional<RoomPlan> best = Optional.empty();

    /** What nodes have beside devices, for the pod that waits and those that come in the place of others. */
    public interface Room extends AllocationSearch.Room {
        /** As if a pod had ended. */
        void vacate(MovablePod pod);

        /** As it was before. */
        void restore(MovablePod pod);
    }

    /**
     * For one pod.
     *
     * @param waiting which has no room
     * @param movable pods that may end
     * @param free UIDs of claims that count as if they had nothing, as their pods are gone
     * @param mostMoves pods that end at most
     */
    public MoveSearch(
            AllocationFleet fleet,
            Room room,
            PodDemand waiting,
            List<MovablePod> movable,
            Set<String> free,
            int mostMoves) {
        this.fleet = fleet;
        this.room = room;
        this.waiting = waiting;
        this.movable = movable.stream().sorted(EASIEST).toList();
        this.free = Set.copyOf(free);
        this.mostMoves = mostMoves;
        this.movable.forEach(pod ->
                byNode.computeIfAbsent(pod.node(), node -> new ArrayList<>()).add(pod));
    }

    /** The plan that moves fewest slices of those that were found, then fewest pods; empty if none was. */
    public Optional<RoomPlan> find() {
        List<String> open = waiting.nodes().stream()
                .filter(byNode::containsKey)
                .limit(MOST_NODES)
                .filter(node -> fits(node, byNode.getOrDefault(node, List.of())))
                .toList();
        for (String node : open) {
            for (MovablePod pod : byNode.getOrDefault(node, List.of())) {
                if (fits(node, List.of(pod))) {
                    attempt(List.of(pod));
                }
                if (best.filter(plan -> plan.slices() == 1).isPresent()) {
                    return best.map(plan -> proved(plan, 1));
                }
            }
        }
        if (open.isEmpty() || mostMoves < 2) {
            return best.map(plan -> proved(plan, 1));
        }
        int needed = proposals(open);
        open.forEach(node -> attempt(fewest(node)));
        return best.map(plan -> proved(plan, needed));
    }

    /** At least one slice moves, as there is no room as it is. */
    private static RoomPlan proved(RoomPlan plan, int needed) {
        return new RoomPlan(plan.node(), plan.room(), plan.moves(), plan.slices(), plan.slices() <= needed);
    }

    /** Tries what the planner says; how many slices have to move at least. */
    private int proposals(List<String> open) {
        Optional<SliceMoves> moves = SliceMoves.of(fleet.held(), waiting, movable, free);
        if (moves.isEmpty()) {
            return 1;
        }
        Optional<SliceMoves.Proposal> all = moves.get().within(node -> true, mostMoves);
        attempt(all);
        attempt(moves.get().within(waiting.nodes()::contains, mostMoves));
        for (String node : open) {
            attempt(moves.get().within(node::equals, mostMoves));
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
            if (leaving.isEmpty() || !fits(node, leaving)) {
                leaving.add(all.get(i));
            }
        }
        return leaving;
    }

    private Set<String> without(List<MovablePod> leaving) {
        Set<String> without = new HashSet<>(free);
        leaving.forEach(pod -> without.addAll(pod.claims()));
        return without;
    }

    /** Whether the one that waits has room on a node if some go from there, wherever to. */
    private boolean fits(String node, List<MovablePod> leaving) {
        leaving.forEach(room::vacate);
        try {
            AllocationSearch.Answer answer =
                    fleet.place("", List.of(at(waiting, List.of(node))), room, without(leaving));
            if (answer.granted()) {
                room.giveBack(waiting.uid(), answer.nodeOf(waiting.uid()));
            }
            return answer.granted();
        } finally {
            leaving.forEach(room::restore);
        }
    }

    private static PodDemand at(PodDemand pod, List<String> nodes) {
        return new PodDemand(pod.uid(), pod.key(), pod.claims(), pod.had(), pod.spread(), nodes);
    }

    /** Notes a plan with these pods, if there is one and it is better. */
    private void attempt(List<MovablePod> leaving) {
        Set<String> names = new HashSet<>();
        leaving.forEach(pod -> names.add(pod.uid()));
        if (leaving.isEmpty() || leaving.size() > mostMoves || !isBetter(leaving) || !tried.add(names)) {
            return;
        }
        List<PodDemand> pods = new ArrayList<>();
        pods.add(waiting);
        AllocationSearch.widestFirst(leaving.stream().map(MovablePod::next).toList())
                .forEach(pods::add);
        leaving.forEach(room::vacate);
        AllocationSearch.Answer answer;
        try {
            answer = fleet.placeInOrder(pods, room, without(leaving));
            if (answer.granted()) {
                pods.forEach(pod -> room.giveBack(pod.uid(), answer.nodeOf(pod.uid())));
            }
        } finally {
            leaving.forEach(room::restore);
        }
        if (answer.granted()) {
            order(leaving, answer)
                    .ifPresent(moves -> best = Optional.of(new RoomPlan(
                            answer.nodeOf(waiting.uid()),
                            answer.devicesOf(waiting.uid()),
                            moves,
                            MovablePod.sum(leaving),
                            false)));
        }
    }

    private boolean isBetter(List<MovablePod> leaving) {
        int slices = MovablePod.sum(leaving);
        return best.isEmpty()
                || slices < best.get().slices()
                || (slices == best.get().slices()
                        && leaving.size() < best.get().moves().size());
    }

    /** The order in which each has its place when it comes; empty where none is, as they would have to end all at once. */
    private Optional<List<PodMove>> order(List<MovablePod> leaving, AllocationSearch.Answer answer) {
        List<MovablePod> left = new ArrayList<>(leaving);
        List<PodMove> moves = new ArrayList<>();
        Set<String> gone = new HashSet<>(free);
        while (!left.isEmpty()) {
            Optional<MovablePod> next = left.stream()
                    .filter(pod -> {
                        Set<String> without = new HashSet<>(gone);
                        without.addAll(pod.claims());
                        return fleet.canHave("", answer.devicesOf(pod.uid()), without);
                    })
                    .findFirst();
            if (next.isEmpty()) {
                return Optional.empty();
            }
            MovablePod pod = next.get();
            moves.add(new PodMove(pod, answer.nodeOf(pod.uid()), answer.devicesOf(pod.uid())));
            gone.addAll(pod.claims());
            left.remove(pod);
        }
        return Optional.of(moves);
    }
}
