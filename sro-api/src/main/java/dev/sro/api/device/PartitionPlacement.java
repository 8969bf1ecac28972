package dev.sro.api.device;

import dev.sro.api.Checks;

/**
 * Where on a device a partition may lie. Immutable.
 *
 * @param start first memory slice, from 0
 * @param size number of memory slices
 */
public record PartitionPlacement(int start, int size) {

    /** Checks the range; devices of today have at most 16 slices, and a state has to fit a bit mask of 64. */
    public PartitionPlacement {
        Checks.range("PartitionPlacement.start", start, 0, 63);
        Checks.range("PartitionPlacement.size", size, 1, 64L - start);
    }
}
