package dev.sro.core.slicing.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoliciesTest {
    private static final Geometry A100 = Geometry.of(Models.a100());

    @Test
    void everyPolicyIsFoundByItsName() {
        assertThat(Policies.all()).hasSizeGreaterThanOrEqualTo(8);
        for (PlacementPolicy policy : Policies.all()) {
            assertThat(Policies.named(policy.name()).name()).isEqualTo(policy.name());
        }
        assertThatThrownBy(() -> Policies.named("best"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("policy best")
                .hasMessageContaining("best-fit");
    }

    @Test
    void aPotentialOfOnesOwnPlacesLikeTheStandardPolicyIfItHasItsNumbers() {
        double[] worth = Policies.worth(A100);
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (int occupancy = 0; occupancy < worth.length; occupancy++) {
            numbers.put(PotentialTable.units(A100, occupancy), worth[occupancy]);
        }
        PolicyTable own = PolicyTable.of(A100, Policies.potential("own", numbers));
        PolicyTable standard = PolicyTable.of(A100, Policies.standard()).in(Regime.STEADY);
        for (int occupancy = 0; occupancy < worth.length; occupancy++) {
            for (int profile = 0; profile < A100.profiles(); profile++) {
                assertThat(own.placement(occupancy, profile)).isEqualTo(standard.placement(occupancy, profile));
                assertThat(own.rank(occupancy, profile)).isEqualTo(standard.rank(occupancy, profile));
            }
        }
    }

    @Test
    void aPotentialThatIsNotCompleteIsRefused() {
        assertThatThrownBy(() -> Policies.potential("own", Map.of("........", Double.NaN)))
                .hasMessage("policy own: the potential of ........ is NaN, which is not a finite number");
        assertThatThrownBy(() -> PolicyTable.of(A100, Policies.potential("own", Map.of("........", 1.0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("policy own: no potential for ")
                .hasMessageContaining("occupancy of A100-40GB");
    }

    @Test
    void aWorkedOutPotentialPrefersWhatLeavesMoreRoom() {
        Geometry moded = Geometry.of(Models.moded());
        double[] worth = Policies.worth(moded);
        assertThat(worth).hasSize(moded.occupancies());
        for (int occupancy = 0; occupancy < worth.length; occupancy++) {
            assertThat(worth[0]).isGreaterThanOrEqualTo(worth[occupancy]);
        }
    }

    @Test
    void aSaturatedFleetIsPlacedDifferentlyFromOneThatFills() {
        PolicyTable table = PolicyTable.of(A100, Policies.standard());
        assertThat(table.adaptive()).isTrue();
        assertThat(table.in(Regime.SATURATED)).isNotSameAs(table.in(Regime.STEADY));
        assertThat(PolicyTable.of(A100, Policies.firstFit()).adaptive()).isFalse();
    }
}
