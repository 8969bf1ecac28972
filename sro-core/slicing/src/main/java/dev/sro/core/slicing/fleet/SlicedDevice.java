package dev.sro.core.slicing.fleet;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PolicyTable;

/**
 * One device and what is on it: the allocator for an agent that looks after a single device. Every call is one or two
 * look-ups. Not thread-safe.
 */
public final class SlicedDevice {
    private final Geometry geometry;
    private final PolicyTable policy;
    private int layout;

    /** An empty device of the policy's model. */
    public SlicedDevice(PolicyTable policy) {
        this.geometry = policy.geometry();
        this.policy = policy;
    }

    /** The placement that a slice of {@code profile} would get, or -1 if it does not fit. Changes nothing. */
    public int decide(int profile) {
        int placement = policy.placement(geometry.occupancyOf(layout), profile);
        return placement == PolicyTable.NONE ? -1 : placement;
    }

    /** Takes a slice of {@code profile} and answers its placement; -1, and no change, if it does not fit. */
    public int allocate(int profile) {
        int placement = decide(profile);
        if (placement >= 0) {
            layout = geometry.toggle(layout, placement);
        }
        return placement;
    }

    /** Adds exactly this placement; false, and no change, if it is not legal. */
    public boolean occupy(int placement) {
        int after = geometry.toggle(layout, placement);
        if (geometry.holds(layout, placement) || after == Geometry.ILLEGAL) {
            return false;
        }
        layout = after;
        return true;
    }

    /** Gives a placement back; false, and no change, if it is not held. */
    public boolean release(int placement) {
        if (!geometry.holds(layout, placement)) {
            return false;
        }
        layout = geometry.toggle(layout, placement);
        return true;
    }

    /** The present layout. */
    public int layout() {
        return layout;
    }
}
