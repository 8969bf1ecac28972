package dev.sro.core.slicing;

import java.util.List;
import java.util.Optional;

/**
 * Claims to move, and what that makes room for. A plan holds for the state in which it was made; {@link SliceAllocator#apply} refuses
 * it afterwards if a claim that it names has moved or gone, or a place is taken.
 *
 * @param moves each claim at most once
 * @param room where the stuck request then goes; empty for a plan that only tidies up
 * @param oneByOne whether the moves can be made one after the other in this order, each to a place that is free by then; if not, all
 *     claims have to be stopped before the first is started again
 * @param minimal whether it is proved that no plan disrupts less
 */
public record MovePlan(List<ClaimMove> moves, Optional<Room> room, boolean oneByOne, boolean minimal) {
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

    /** Copies the list. */
    public MovePlan {
        moves = List.copyOf(moves);
    }
}
