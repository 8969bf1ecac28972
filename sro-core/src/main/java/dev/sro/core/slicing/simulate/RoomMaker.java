package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.fleet.ModelFleet;

/** Moves slices so that a request that is stuck fits. */
public interface RoomMaker {
    /** Never moves anything. */
    RoomMaker NONE = (fleet, profile, moved) -> false;

    /**
     * Rearranges {@code fleet} so that a slice of {@code profile} fits, and tells {@code moved} of each move in order; false, and no
     * change, if it does not make room.
     */
    boolean makeRoom(ModelFleet fleet, int profile, Moved moved);

    /** Hears of moves. */
    @FunctionalInterface
    interface Moved {
        /** The slice at slot {@code from} is at slot {@code to} now. */
        void moved(long from, long to);
    }
}
