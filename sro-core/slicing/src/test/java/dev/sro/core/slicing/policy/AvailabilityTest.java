package dev.sro.core.slicing.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.geometry.Geometry;
import org.junit.jupiter.api.Test;

class AvailabilityTest {
    @Test
    void whatADiscountMakesSmallIsNotTakenForEqual() {
        Geometry geometry = Geometry.of(Models.moded());
        for (double haste : new double[] {1, 4, 1e6}) {
            double[] values = Availability.ofRoom(
                            geometry, RequestShares.equal(geometry), new Availability.Terms(haste, 1, 0.9, 0))
                    .values();
            assertThat(values[0]).isBetween(999.999, 1000.001);
        }
    }

    @Test
    void aSliceGoesWhereTheDeviceIsBrokenAlready() {
        Geometry geometry = Geometry.of(OtherModels.rtxPro6000());
        PlacementPolicy policy = Policies.standard().specialise(geometry, Regime.STEADY);
        int quarter = geometry.firstPlacement(0);
        int broken = geometry.add(0, quarter);
        double onEmpty = policy.cost(geometry, 0, quarter, broken);
        double beside = policy.cost(geometry, broken, quarter + 1, geometry.add(broken, quarter + 1));
        assertThat(beside).isLessThan(onEmpty);
    }

    @Test
    void whatWasNotSeenMayStillCome() {
        Geometry geometry = Geometry.of(Models.a100());
        RequestShares shares = RequestShares.of(geometry, new int[] {40, 0, 0, 0, 0, 0});
        double sum = 0;
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            assertThat(shares.share(profile)).isPositive();
            sum += shares.share(profile);
        }
        assertThat(sum).isBetween(1 - 1e-9, 1 + 1e-9);
        assertThat(shares).isEqualTo(RequestShares.of(geometry, new int[] {41, 0, 0, 0, 0, 0}));
    }
}
