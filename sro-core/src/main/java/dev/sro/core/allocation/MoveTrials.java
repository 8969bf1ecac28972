package dev.sro.core.allocation;

import dev.sro.core.allocation.RoomPlan.PodMove;
import dev.sro.core.allocation.RoomPlan.Seat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Asks the fleet what would be if pods were gone, and leaves it as it is. For one search; not thread-safe. */
final class MoveTrials {
    private final AllocationFleet fleet;
    private final String owner;
    private final VacatableRoom room;
    private final List<PodDemand> waiting;
    private final Set<String> free;
    private int searched;
    private boolean sure = true;

    /**
     * For those who wait.
     *
     * @param owner whose places that are kept do not count
     * @param free UIDs of claims that count as if they had nothing
     */
    MoveTrials(AllocationFleet fleet, String owner, VacatableRoom room, List<PodDemand> waiting, Set<String> free) {
        this.fleet = fleet;
        this.owner = owner;
        this.room = room;
        this.waiting = AllocationSearch.widestFirst(waiting);
        this.free = Set.copyOf(free);
    }

    /** Nodes that were looked at so far, each time that one was. */
    int searched() {
        return searched;
    }

    /** Whether all was tried of whatever was answered with no so far. */
    boolean sure() {
        return sure;
    }

    /** Answers so far are no proof. */
    void forget() {
        sure = true;
    }

    /** Whether all that wait have room if some go, wherever these go to. */
    boolean fits(Collection<MovablePod> leaving) {
        return ask(waiting, leaving).granted();
    }

    /** Whether one pod has room on a node if some go. */
    boolean fits(PodDemand pod, String node, Collection<MovablePod> leaving) {
        PodDemand there = new PodDemand(pod.uid(), pod.key(), pod.claims(), pod.had(), pod.spread(), List.of(node));
        return ask(List.of(there), leaving).granted();
    }

    /** What becomes of all if these move; empty if one of them would have no place, or could not have it in its turn. */
    Optional<RoomPlan> plan(List<MovablePod> leaving) {
        List<PodDemand> pods = new ArrayList<>(waiting);
        pods.addAll(AllocationSearch.widestFirst(
                leaving.stream().map(MovablePod::next).toList()));
        AllocationSearch.Answer answer = ask(pods, leaving);
        if (!answer.granted()) {
            return Optional.empty();
        }
        Optional<List<PodMove>> moves = order(leaving, answer);
        // Other places might be had one after the other.
        sure &= moves.isPresent();
        return moves.map(found -> new RoomPlan(
                waiting.stream()
                        .map(pod -> new Seat(pod, answer.nodeOf(pod.uid()), answer.devicesOf(pod.uid())))
                        .toList(),
                found,
                MovablePod.sum(leaving),
                1));
    }

    private AllocationSearch.Answer ask(List<PodDemand> pods, Collection<MovablePod> leaving) {
        leaving.forEach(room::vacate);
        try {
            AllocationSearch.Answer answer = fleet.placeInOrder(owner, pods, room, without(leaving));
            // It was only asked.
            answer.nodes().forEach(room::giveBack);
            searched += answer.searched();
            sure &= answer.granted() || answer.sure();
            return answer;
        } finally {
            leaving.forEach(room::restore);
        }
    }

    private Set<String> without(Collection<MovablePod> leaving) {
        Set<String> without = new HashSet<>(free);
        leaving.forEach(pod -> without.addAll(pod.claims()));
        return without;
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
                        return fleet.canHave(owner, answer.devicesOf(pod.uid()), without);
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
