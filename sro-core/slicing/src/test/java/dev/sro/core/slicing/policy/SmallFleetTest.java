package dev.sro.core.slicing.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The default policy, which looks at one device at a time, against the best that is possible on a few devices: both exact. */
class SmallFleetTest {
    /** Share of memory units. */
    private static final double CLOSE = 0.0005;

    @ParameterizedTest
    @CsvSource({"A30-24GB, 1, 0.85", "A30-24GB, 2, 0.85", "A30-24GB, 2, 1.2", "MI300A, 2, 0.85"})
    void noPolicyWithoutMovesAcceptsMuchMore(String model, int devices, double load) {
        Geometry geometry = Geometry.of(Catalogue.builtin().model(model));
        SmallFleet fleet = new SmallFleet(geometry, devices, load);
        double best = fleet.best();

        assertThat(fleet.accepted(standard(geometry, devices))).isBetween(best - CLOSE, best + 1e-6);
        assertThat(fleet.accepted(Policies.firstFit())).isLessThanOrEqualTo(best + 1e-6);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"A30-24GB, 3, 0.85", "A30-24GB, 3, 1.2", "RTXPRO6000-96GB, 2, 1.6"})
    void norDoesItOnMoreDevices(String model, int devices, double load) {
        noPolicyWithoutMovesAcceptsMuchMore(model, devices, load);
    }

    private static PlacementPolicy standard(Geometry geometry, int devices) {
        int[] asked = new int[geometry.profiles()];
        Arrays.fill(asked, 1000);
        FleetUsage usage = new FleetUsage(Regime.STEADY, RequestShares.of(geometry, asked), FleetUsage.coarse(devices));
        return Policies.standard().specialise(geometry, usage);
    }
}
