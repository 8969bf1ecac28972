package dev.sro.core.slicing.pack;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which to create the instances of a layout on an empty device: wide ones first, then by start. With explicit
 * starts every prefix of it is legal, as every part of a legal layout is, so that a driver is asked once per instance and no order has to
 * be tried on hardware.
 */
public final class CreationOrder {
    private CreationOrder() {}

    /** The placements of a layout in the order of creation. */
    public static List<Integer> find(Geometry geometry, int layout) {
        List<Integer> placements = new ArrayList<>();
        for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
            placements.add(Long.numberOfTrailingZeros(rest));
        }
        placements.sort(Comparator.comparingInt((Integer placement) -> -geometry.sizeOf(geometry.profileOf(placement)))
                .thenComparing(geometry::startOf));
        return placements;
    }
}
