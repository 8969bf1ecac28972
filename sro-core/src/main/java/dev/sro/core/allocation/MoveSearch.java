package dev.sro.core.allocation;

import dev.sro.core.dra.DraOptions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the fewest slices whose pods have to move so that a pod that waits, or all pods of a gang, have room, where each of those that move has a place to
 * go to. What counts is whether all of them can be placed by the rules that hold when they come. For one look; not thread-safe.
 */
public final class MoveSearch {
    private static final Comparator<MovablePod> EASIEST = Comparator.comparingInt(MovablePod::slices)
            .thenComparing(pod -> pod.next().key());

    private final AllocationFleet fleet;
    private final String owner;
    private final VacatableRoom room;
    private final List<PodDemand> waiting;
    private final List<MovablePod> movable;
    private final Set<String> free;
    private final int mostMoves;

    /**
     * For one pod, or the pods of one gang.
     *
     * @param owner under whose name places may be kept for those that wait, which do not count
     * @param waiting who has no room, one at least
     * @param movable pods that may end
     * @param free UIDs of claims that count as if they had nothing, as their pods are gone
     * @param mostMoves pods that end at most
     */
    public MoveSearch(
            AllocationFleet fleet,
            String owner,
            VacatableRoom room,
            List<PodDemand> waiting,
            List<MovablePod> movable,
            Set<String> free,
            int mostMoves) {
        this.fleet = fleet;
        this.owner = owner;
        this.room = room;
        this.waiting = List.copyOf(waiting);
        this.movable = movable.stream().sorted(EASIEST).toList();
        this.free = Set.copyOf(free);
        this.mostMoves = mostMoves;
    }

    /** The plan that moves fewest slices of those that were found; empty if none was. */
    public Optional<RoomPlan> find() {
        MoveTrials trials = new MoveTrials(fleet, owner, room, waiting, free);
        List<HeldGpu> held = fleet.held(owner);
        Optional<SliceMoves> planner = SliceMoves.of(held, waiting, movable, free);
        if (waiting.size() == 1) {
            return new PodMoves(trials, planner, waiting.get(0), movable, mostMoves).find();
        }
        int needed = MoveBound.of(held, DraOptions.allocatorTaint(fleet.driver()), waiting, movable, free);
        return new GangMoves(trials, planner, waiting, movable, needed, mostMoves)
                .find()
                .map(this::inOrder);
    }

    private RoomPlan inOrder(RoomPlan plan) {
        List<String> order = waiting.stream().map(PodDemand::uid).toList();
        List<RoomPlan.Seat> seats = plan.seats().stream()
                .sorted(Comparator.comparingInt(seat -> order.indexOf(seat.pod().uid())))
                .toList();
        return new RoomPlan(seats, plan.moves(), plan.slices(), plan.needed());
    }
}
