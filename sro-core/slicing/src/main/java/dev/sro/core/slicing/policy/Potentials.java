package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** Potentials per occupancy: found by search where there is a table, worked out elsewhere. */
final class Potentials {
    /** Arrivals that a worked-out potential looks ahead. */
    private static final int HORIZON = 12;

    private Potentials() {}

    static PlacementPolicy of(Geometry geometry, Regime regime) {
        if (sevenSlices(geometry)) {
            return SevenSlices.of(regime);
        }
        return regime == Regime.SATURATED ? Policies.firstFit() : new WorkedOut(geometry);
    }

    static double[] worth(Geometry geometry) {
        if (!sevenSlices(geometry)) {
            return new WorkedOut(geometry).worth;
        }
        double[] worth = new double[geometry.occupancies()];
        Arrays.setAll(worth, occupancy -> SevenSlices.STEADY.byMask[geometry.maskOf(occupancy)]);
        return worth;
    }

    /** Whether the windows of a device are those of the MIG devices with seven slices and eight units. */
    private static boolean sevenSlices(Geometry geometry) {
        if (geometry.units() != 8) {
            return false;
        }
        for (int occupancy = 0; occupancy < geometry.occupancies(); occupancy++) {
            if (Double.isNaN(SevenSlices.STEADY.byMask[geometry.maskOf(occupancy)])) {
                return false;
            }
        }
        return geometry.model().computeSlices() == 0 || geometry.model().computeSlices() == 7;
    }

    /** The tables of the resource beside this class. */
    private static final class SevenSlices implements PlacementPolicy {
        static final SevenSlices FILLING = new SevenSlices(1);
        static final SevenSlices STEADY = new SevenSlices(2);
        static final SevenSlices SATURATED = new SevenSlices(3);

        final double[] byMask = new double[256];

        SevenSlices(int column) {
            Arrays.fill(byMask, Double.NaN);
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                    Objects.requireNonNull(Potentials.class.getResourceAsStream("seven-slices.txt")),
                    StandardCharsets.UTF_8))) {
                reader.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                    String[] fields = line.split(" ", -1);
                    byMask[Integer.parseInt(fields[0])] = Double.parseDouble(fields[column]);
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static SevenSlices of(Regime regime) {
            return switch (regime) {
                case FILLING -> FILLING;
                case STEADY -> STEADY;
                case SATURATED -> SATURATED;
            };
        }

        @Override
        public String name() {
            return "standard";
        }

        @Override
        public double cost(Geometry geometry, int before, int placement, int after) {
            return byMask[geometry.maskOf(before)] - byMask[geometry.maskOf(after)];
        }
    }

    /**
     * The units that one device is expected to take of the next {@value #HORIZON} requests, each profile equally likely, if each
     * request is placed where that expectation stays highest: exact, by dynamic programming.
     */
    private static final class WorkedOut implements PlacementPolicy {
        private final double[] worth;

        WorkedOut(Geometry geometry) {
            double[] value = new double[geometry.occupancies()];
            for (int arrivals = 0; arrivals < HORIZON; arrivals++) {
                double[] next = new double[value.length];
                for (int occupancy = 0; occupancy < value.length; occupancy++) {
                    for (int profile = 0; profile < geometry.profiles(); profile++) {
                        next[occupancy] += after(geometry, value, occupancy, profile) / geometry.profiles();
                    }
                }
                value = next;
            }
            worth = value;
        }

        private static double after(Geometry geometry, double[] value, int occupancy, int profile) {
            double best = Double.NEGATIVE_INFINITY;
            for (int placement = geometry.firstPlacement(profile);
                    placement < geometry.firstPlacement(profile + 1);
                    placement++) {
                int next = geometry.add(occupancy, placement);
                if (next != Geometry.ILLEGAL) {
                    best = Math.max(best, geometry.sizeOf(profile) + value[next]);
                }
            }
            return best == Double.NEGATIVE_INFINITY ? value[occupancy] : best;
        }

        @Override
        public String name() {
            return "standard";
        }

        @Override
        public double cost(Geometry geometry, int before, int placement, int after) {
            return worth[before] - worth[after];
        }
    }
}
