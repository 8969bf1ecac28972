package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;

/** The default policy: see {@link Policies#standard()}. */
final class StandardPolicy implements PlacementPolicy {
    static final StandardPolicy INSTANCE = new StandardPolicy();

    private StandardPolicy() {}

    @Override
    public String name() {
        return "standard";
    }

    @Override
    public PlacementPolicy specialise(Geometry geometry, Regime regime) {
        return Potentials.of(geometry, regime);
    }

    @Override
    public double cost(Geometry geometry, int before, int placement, int after) {
        return specialise(geometry, Regime.STEADY).cost(geometry, before, placement, after);
    }
}
