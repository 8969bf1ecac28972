package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** Potentials that were found by search, for MIG devices with seven slices and eight units: the resource beside this class. */
final class SevenSlicePotentials implements PlacementPolicy {
    private static final SevenSlicePotentials FILLING = new SevenSlicePotentials(1);
    private static final SevenSlicePotentials STEADY = new SevenSlicePotentials(2);
    private static final SevenSlicePotentials SATURATED = new SevenSlicePotentials(3);

    private final double[] byMask = new double[256];

    private SevenSlicePotentials(int column) {
        Arrays.fill(byMask, Double.NaN);
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(SevenSlicePotentials.class.getResourceAsStream("seven-slices.txt")),
                StandardCharsets.UTF_8))) {
            reader.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                String[] fields = line.split(" ", -1);
                byMask[Integer.parseInt(fields[0])] = Double.parseDouble(fields[column]);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SevenSlicePotentials of(Regime regime) {
        return switch (regime) {
            case FILLING -> FILLING;
            case CALM, STEADY, CROWDED -> STEADY;
            case OVERLOADED, SATURATED -> SATURATED;
        };
    }

    /** Whether the windows of a device are those that the tables were found for. */
    static boolean fits(Geometry geometry) {
        if (geometry.units() != 8) {
            return false;
        }
        for (int occupancy = 0; occupancy < geometry.occupancies(); occupancy++) {
            if (Double.isNaN(STEADY.byMask[geometry.maskOf(occupancy)])) {
                return false;
            }
        }
        return geometry.model().computeSlices() == 0 || geometry.model().computeSlices() == 7;
    }

    static double[] worth(Geometry geometry) {
        double[] worth = new double[geometry.occupancies()];
        Arrays.setAll(worth, occupancy -> STEADY.byMask[geometry.maskOf(occupancy)]);
        return worth;
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
