package dev.sro.core.slicing.fleet;

import dev.sro.core.slicing.geometry.Geometry;

/**
 * The devices of one model as planners read them: which layout each carries, and how many carry it. Devices are numbered
 * from 0. A view is consistent only while nobody changes the fleet.
 */
public interface FleetView {
    /** The tables of the model. */
    Geometry geometry();

    /** Number of devices, cordoned ones included. */
    int devices();

    /** The layout of a device. O(1). */
    int layoutOf(int device);

    /** The number of usable devices that carry a layout; cordoned devices are not counted. O(1). */
    int count(int layout);

    /** The first device that may be used, from {@code from} on, with a layout; -1 if there is none. */
    int next(int layout, int from);

    /** Whether a device takes no new instances and keeps those it has. */
    boolean cordoned(int device);
}
