package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.List;

/** The default policy: see {@link Policies#standard()}. */
final class StandardPolicy implements PlacementPolicy {
    static final StandardPolicy INSTANCE = new StandardPolicy();

    /** Steps of a policy beyond which working out many potentials would be felt by whoever waits for a slice: one of them plays then. */
    private static final long MOST_STEPS = 400_000;

    /** Keeps models that are full apart from each other by share. */
    private static final double FULL = 0.02;

    /** While slices go: half a dozen that differ in what they hold scarce. Found on the test bed; none is best everywhere. */
    private static final List<Availability.Terms> CHURNING = List.of(
            new Availability.Terms(4, 1, 0.9, 0),
            new Availability.Terms(16, 1, 0.9, 0.1),
            new Availability.Terms(4, 0.5, 0.99, 0),
            new Availability.Terms(4, 2, 0.9, 0),
            new Availability.Terms(4, 1, 0.9, 0.3));

    /** While hardly any goes, when only what is left now counts. */
    private static final List<Availability.Terms> FILLING = List.of(
            new Availability.Terms(1e6, 1, 0.9, 0),
            new Availability.Terms(1e6, 0.5, 0.99, 0),
            new Availability.Terms(1e6, 1, 0.6, 0));

    private StandardPolicy() {}

    @Override
    public String name() {
        return "standard";
    }

    @Override
    public boolean learns() {
        return true;
    }

    @Override
    public PlacementPolicy specialise(Geometry geometry, Regime regime) {
        return SevenSlicePotentials.fits(geometry)
                ? SevenSlicePotentials.of(regime)
                : Availability.ofRoom(
                        geometry, RequestShares.equal(geometry), terms(regime).get(0));
    }

    @Override
    public PlacementPolicy specialise(Geometry geometry, FleetUsage usage) {
        Regime regime = usage.regime();
        RequestShares shares = usage.shares();
        boolean many = (long) geometry.occupancies() * geometry.placements() > MOST_STEPS;
        List<PlacementPolicy> candidates = new ArrayList<>();
        if (SevenSlicePotentials.fits(geometry)) {
            candidates.add(SevenSlicePotentials.of(regime));
        }
        for (Availability.Terms terms : many ? terms(regime).subList(0, 1) : terms(regime)) {
            candidates.add(Availability.ofRoom(geometry, shares, terms));
        }
        if (!many) {
            candidates.add(Availability.ofRoom(
                    geometry, RequestShares.equal(geometry), terms(regime).get(0)));
            candidates.add(Availability.ofWholeness(geometry, shares, 1));
        }
        candidates.addAll(List.of(
                Policies.minimumFragmentation(),
                Policies.bestFit(),
                Policies.bestFitBestIndex(),
                Policies.longestRun(),
                Policies.firstFit()));
        return new Contest(geometry, usage).winner(candidates, many);
    }

    /** What is taken of what the model has left: a model that is nearly full is left to those who can go nowhere else. */
    @Override
    public double modelCost(double share, double free) {
        return share / (free + FULL);
    }

    private static List<Availability.Terms> terms(Regime regime) {
        return regime == Regime.FILLING ? FILLING : CHURNING;
    }

    static double[] worth(Geometry geometry) {
        return SevenSlicePotentials.fits(geometry)
                ? SevenSlicePotentials.worth(geometry)
                : Availability.ofRoom(geometry, RequestShares.equal(geometry), CHURNING.get(0))
                        .values();
    }

    @Override
    public double cost(Geometry geometry, int before, int placement, int after) {
        return specialise(geometry, Regime.STEADY).cost(geometry, before, placement, after);
    }
}
