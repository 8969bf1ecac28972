package dev.sro.core.slicing;

import java.util.List;

/**
 * All state of an allocator.
 *
 * @param devices in the order in which they were added
 * @param claims by name
 */
public record SliceSnapshot(List<SliceDevice> devices, List<SliceClaim> claims) {
    /** Copies both lists. */
    public SliceSnapshot {
        devices = List.copyOf(devices);
        claims = List.copyOf(claims);
    }
}
