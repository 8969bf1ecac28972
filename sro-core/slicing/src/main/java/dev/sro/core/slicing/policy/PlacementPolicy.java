package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;

/**
 * Decides among all devices and starts that could take a slice. A policy gives each possible step a cost; the allocator takes
 * the step of least cost, among equals the device of lowest number, and on that device the start that
 * {@link #startOrder} names first.
 *
 * <p>A policy sees what is on one device and nothing else: it is asked once per occupancy when tables are made, never while
 * allocating. It must be a pure function.
 */
public interface PlacementPolicy {
    /** Two costs that differ by no more than this are equal; it absorbs rounding of sums of decimals. */
    double TOLERANCE = 1e-9;

    /** Name under which configuration chooses the policy; lower case with hyphens. */
    String name();

    /**
     * Cost of adding {@code placement} to a device in occupancy {@code before}, which leaves it in {@code after}. Lower is
     * better; must be finite.
     */
    double cost(Geometry geometry, int before, int placement, int after);

    /**
     * The policy to use for a model in a regime: this one, unless it is made of several. Asked once per model and regime.
     */
    default PlacementPolicy specialise(Geometry geometry, Regime regime) {
        return this;
    }

    /**
     * The policy to use for a model that is used like this; not asked unless the policy {@link #learns}. May take some ten milliseconds:
     * it is asked once for each usage. Must be a pure function too.
     */
    default PlacementPolicy specialise(Geometry geometry, FleetUsage usage) {
        return specialise(geometry, usage.regime());
    }

    /** Whether the policy places differently where other profiles are asked for. */
    default boolean learns() {
        return false;
    }

    /**
     * The model that comes first where several offer a profile: that of the least cost which has room, among equals the one whose devices
     * came first. The smallest share of a device unless overridden.
     *
     * @param share what the slice takes of a device, as a share of its units
     * @param free what is free of all devices of the model that are in service, as a share of their units
     */
    default double modelCost(double share, double free) {
        return share;
    }

    /**
     * Whether the node comes before the device: the node that would have the largest share of free units afterwards, in whole percent, and
     * among equals the one whose first device was added first. An allocator then looks at every device for every request.
     */
    default boolean emptiestNodeFirst() {
        return false;
    }

    /** The placements of a profile, most preferred first; all of them, each once. Ascending by start unless overridden. */
    default int[] startOrder(Geometry geometry, int profile) {
        int first = geometry.firstPlacement(profile);
        int[] order = new int[geometry.firstPlacement(profile + 1) - first];
        for (int i = 0; i < order.length; i++) {
            order[i] = first + i;
        }
        return order;
    }
}
