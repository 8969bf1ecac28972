package dev.sro.core.allocation;

import dev.sro.core.dra.GpuLoad;
import java.util.Optional;

/**
 * What is on a GPU. Immutable.
 *
 * @param load its placements; empty where it cannot be cut
 * @param any whether anybody has anything of it
 */
record GpuUse(Optional<GpuLoad> load, boolean any) {
    /** Whether a placement, or the whole GPU, can be had. */
    boolean fits(int placement) {
        return placement == FleetGpu.WHOLE
                ? !any
                : load.isPresent() && load.get().fits(placement);
    }

    /** With one more, which fits. */
    GpuUse with(int placement) {
        return new GpuUse(
                placement == FleetGpu.WHOLE
                        ? load.map(now -> GpuLoad.full(now.geometry()))
                        : load.map(now -> now.with(placement)),
                true);
    }

    int freeUnits() {
        return load.map(GpuLoad::freeUnits).orElse(any ? 0 : 1);
    }

    /** The same for GPUs of one kind that answer the same. */
    Object key() {
        return load.<Object>map(now -> now.placements() + "/" + now.blocked()).orElse(any);
    }
}
