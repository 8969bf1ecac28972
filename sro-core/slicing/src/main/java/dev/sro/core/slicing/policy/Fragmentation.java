package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;

/** Measures of how badly the free units of one device are broken up. */
public final class Fragmentation {
    private Fragmentation() {}

    /**
     * The fragmentation score: over all profiles not wider than the free units, the width of the profile for each of its windows
     * that is not wholly free. 0 on an empty and on a full device. After Zambianco et al. 2025 (arXiv 2511.18906), whose idea this is.
     */
    public static int measure(Geometry geometry, int occupancy) {
        int mask = geometry.maskOf(occupancy);
        int free = geometry.freeUnits(occupancy);
        int score = 0;
        for (int placement = 0; placement < geometry.placements(); placement++) {
            int window = geometry.windowOf(placement);
            int size = Integer.bitCount(window);
            score += size <= free && (window & mask) != 0 ? size : 0;
        }
        return score;
    }

    /** Units in the longest run of free ones. */
    public static int longestFreeRun(Geometry geometry, int occupancy) {
        int free = ~geometry.maskOf(occupancy) & (1 << geometry.units()) - 1;
        int run = 0;
        while (free != 0) {
            free &= free << 1;
            run++;
        }
        return run;
    }

    /** The number of windows of all profiles are wholly free. */
    public static int freeWindows(Geometry geometry, int occupancy) {
        int mask = geometry.maskOf(occupancy);
        int count = 0;
        for (int placement = 0; placement < geometry.placements(); placement++) {
            count += (geometry.windowOf(placement) & mask) == 0 ? 1 : 0;
        }
        return count;
    }
}
