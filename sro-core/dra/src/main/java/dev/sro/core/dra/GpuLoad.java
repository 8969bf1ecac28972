package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;

/**
 * What is on a GPU: placements that make a legal layout, and units that nobody can have for other reasons. Immutable.
 *
 * @param geometry of its model
 * @param placements a bit set of placements
 * @param blocked a bit mask of units, besides those of the placements
 */
public record GpuLoad(Geometry geometry, long placements, int blocked) {
    /** What does not go together becomes blocked units, so that every load has an occupancy. */
    public GpuLoad {
        if (geometry.layoutOf(placements) < 0) {
            for (long rest = placements; rest != 0; rest &= rest - 1) {
                blocked |= geometry.windowOf(Long.numberOfTrailingZeros(rest));
            }
            placements = 0;
        }
    }

    /** A GPU of which nothing can be had. */
    public static GpuLoad full(Geometry geometry) {
        return new GpuLoad(geometry, 0, (1 << geometry.units()) - 1);
    }

    /** The occupancy of its placements, without what is blocked. */
    public int occupancy() {
        return geometry.occupancyOf(geometry.layoutOf(placements));
    }

    /** Whether a placement can be added. */
    public boolean fits(int placement) {
        return (geometry.windowOf(placement) & blocked) == 0 && (geometry.addable(occupancy()) >>> placement & 1) != 0;
    }

    /** The width of the widest slice that fits; 0 if none does. */
    public int widest() {
        int widest = 0;
        for (long rest = geometry.addable(occupancy()); rest != 0; rest &= rest - 1) {
            int window = geometry.windowOf(Long.numberOfTrailingZeros(rest));
            widest = (window & blocked) == 0 ? Math.max(widest, Integer.bitCount(window)) : widest;
        }
        return widest;
    }

    /** With one placement more, which fits. */
    public GpuLoad with(int placement) {
        return new GpuLoad(geometry, placements | 1L << placement, blocked);
    }

    /** As if what is in the way of a placement were given back; this if nothing is. */
    public GpuLoad makingRoomFor(int placement) {
        long stay = placements;
        for (long rest = placements; rest != 0; rest &= rest - 1) {
            int other = Long.numberOfTrailingZeros(rest);
            stay &= (geometry.windowOf(other) & geometry.windowOf(placement)) == 0 ? -1L : ~(1L << other);
        }
        return stay == placements ? this : new GpuLoad(geometry, stay, blocked);
    }

    /** Whether nothing is on it and nothing blocked. */
    public boolean empty() {
        return placements == 0 && blocked == 0;
    }

    /** Units that nobody has and that are not blocked. */
    public int freeUnits() {
        return geometry.units() - Integer.bitCount(geometry.maskOf(occupancy()) | blocked);
    }
}
