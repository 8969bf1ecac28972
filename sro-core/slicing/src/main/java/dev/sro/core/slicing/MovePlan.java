package dev.sro.core.slicing;

import java.util.List;
import java.util.Optional;

/**
 * Claims to move, and what that makes room for. A plan holds for the state in which it was made; {@link SliceAllocator#apply} refuses
 * it afterwards if a claim that it names has moved or gone, or a place is taken.
 *
 * @param moves each claim at most once; in this order, all but the last {@code stopFirst} go to a place that is free by then
 * @param stopFirst how many moves at the end are possible only if all of their claims are stopped before the first of them
 *     is started again; 0 for a plan that goes one by one
 * @param rooms where the stuck request, or those of a gang in their order, then go; none for a plan that only tidies up
 * @param cost sum of {@link SliceClaim#disruptionCost()} of the claims that move
 * @param minimal whether it is proved that no plan with the same effect costs less
 */
public record MovePlan(List<ClaimMove> moves, int stopFirst, List<Room> rooms, long cost, boolean minimal) {
    /** A claim that moves. */
    public record ClaimMove(
            String claim, String profile, String fromDevice, int fromStart, String toDevice, int toStart) {
        @Override
        public String toString() {
            return claim + " (" + profile + ") from " + fromDevice + " at " + fromStart + " to " + toDevice + " at "
                    + toStart;
        }
    }

    /** A place for a request. */
    public record Room(String device, int start) {}

    /** Copies the lists. */
    public MovePlan {
        moves = List.copyOf(moves);
        rooms = List.copyOf(rooms);
    }

    /** The place of the stuck request, or of the first one of a gang, after the moves; empty for a plan that only tidies up. */
    public Optional<Room> room() {
        return rooms.stream().findFirst();
    }

    /** Whether the moves can be made one after the other in their order, each to a place that is free by then. */
    public boolean oneByOne() {
        return stopFirst == 0;
    }
}
