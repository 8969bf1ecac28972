package dev.sro.core.slicing.mig;

import java.util.List;

/**
 * A GPU instance to be created at a place of its own, so that no order has to be tried on hardware. Immutable.
 *
 * @param profile name in the device model
 * @param start first unit
 * @param size width in units
 * @param compute compute slices of each compute instance in it; empty for one that takes the whole instance
 */
public record MigInstance(String profile, int start, int size, List<Integer> compute) {
    /** Copies the list. */
    public MigInstance {
        compute = List.copyOf(compute);
    }
}
