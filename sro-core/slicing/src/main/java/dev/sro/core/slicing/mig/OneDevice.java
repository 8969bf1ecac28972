package dev.sro.core.slicing.mig;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Looks for the layout of one device that has given instances, through all layouts of its model. Stateless. */
final class OneDevice {
    private OneDevice() {}

    /**
     * The layout with exactly these counts that leaves the most placements open, the first of those; -1 if there is none.
     */
    static int layout(Geometry geometry, int[] counts) {
        int best = -1;
        int open = -1;
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            if (compare(geometry, layout, counts) == 0) {
                int left = Long.bitCount(geometry.addable(geometry.occupancyOf(layout)));
                if (left > open) {
                    open = left;
                    best = layout;
                }
            }
        }
        return best;
    }

    /** The part of these counts that takes the most units and still fits, the most instances of those. */
    static int[] most(Geometry geometry, int[] counts) {
        int best = 0;
        int bestRank = 0;
        for (int layout = 1; layout < geometry.layouts(); layout++) {
            if (compare(geometry, layout, counts) >= 0) {
                int units = geometry.units() - geometry.freeUnits(geometry.occupancyOf(layout));
                int rank = 64 * units + Long.bitCount(geometry.placementsOf(layout));
                if (rank > bestRank) {
                    bestRank = rank;
                    best = layout;
                }
            }
        }
        int[] found = new int[counts.length];
        for (long rest = geometry.placementsOf(best); rest != 0; rest &= rest - 1) {
            found[geometry.profileOf(Long.numberOfTrailingZeros(rest))]++;
        }
        return found;
    }

    /** How many instances of {@code counts} are not in the layout; -1 if the layout has others. */
    private static int compare(Geometry geometry, int layout, int[] counts) {
        int[] left = counts.clone();
        int missing = 0;
        for (int count : counts) {
            missing += count;
        }
        for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
            if (--left[geometry.profileOf(Long.numberOfTrailingZeros(rest))] < 0) {
                return -1;
            }
            missing--;
        }
        return missing;
    }

    /** Large before small, then by start. */
    static List<Integer> inOrderOfCreation(Geometry geometry, long placementSet) {
        List<Integer> placements = new ArrayList<>();
        for (long rest = placementSet; rest != 0; rest &= rest - 1) {
            placements.add(Long.numberOfTrailingZeros(rest));
        }
        placements.sort(Comparator.comparingInt((Integer placement) -> -geometry.sizeOf(geometry.profileOf(placement)))
                .thenComparingInt(geometry::startOf));
        return placements;
    }

    static String text(Geometry geometry, int[] counts) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                parts.add(counts[i] + " x " + geometry.profile(i).name());
            }
        }
        return parts.isEmpty() ? "none" : String.join(" + ", parts);
    }
}
