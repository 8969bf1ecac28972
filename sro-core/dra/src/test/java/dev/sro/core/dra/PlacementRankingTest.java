package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.policy.Regime;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementRankingTest {
    /** One model of each family of the catalogue. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A100-40GB",
                "A30-24GB",
                "RTXPRO6000-96GB",
                "RTXPRO5000-48GB-r580",
                "Thor-iGPU",
                "MI300X",
                "PPU-ZW810E-96GB"
            })
    void firstFitTakesWhatThePolicyWouldTakeInEveryState(String key) {
        DeviceModel model = Catalogue.builtin().model(key);
        Geometry geometry = Geometry.of(model);
        PlacementPolicy policy = Policies.standard().specialise(geometry, Regime.STEADY);
        PlacementRanking ranking = new PlacementRanking(geometry, policy);
        PolicyTable table = PolicyTable.of(geometry, Policies.standard()).in(Regime.STEADY);
        BitSet seen = new BitSet();
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            int occupancy = geometry.occupancyOf(layout);
            if (seen.get(occupancy)) {
                continue;
            }
            seen.set(occupancy);
            GpuLoad load = new GpuLoad(geometry, geometry.placementsOf(layout), 0);
            List<Integer> order = ranking.order(load);
            assertThat(order).hasSize(geometry.placements()).doesNotHaveDuplicates();
            for (int profile = 0; profile < geometry.profiles(); profile++) {
                int wanted = profile;
                int first = order.stream()
                        .filter(placement -> geometry.profileOf(placement) == wanted && load.fits(placement))
                        .findFirst()
                        .orElse(PolicyTable.NONE);
                assertThat(first).isEqualTo(table.placement(occupancy, profile));
            }
        }
    }

    @Test
    void whatCannotBeHadIsInTheLastClassAndGoodPlacesInTheFirst() {
        Geometry geometry = Geometry.of(Catalogue.builtin().model("A100-40GB"));
        PlacementRanking ranking = ModelTables.of(geometry.model(), DraOptions.of(new DraServer(36, 3)))
                .ranking();
        int three = geometry.model().indexOf("3g.20gb");
        GpuLoad half = new GpuLoad(geometry, 1L << geometry.placement(three, 0), 0);
        assertThat(ranking.lossClass(half, geometry.placement(three, 0))).isEqualTo(3);
        assertThat(ranking.lossClass(half, geometry.placement(three, 4)))
                .isLessThan(ranking.lossClass(new GpuLoad(geometry, 0, 0), geometry.placement(three, 0)));
        int seven = geometry.model().indexOf("7g.40gb");
        assertThat(ranking.lossClass(new GpuLoad(geometry, 0, 0), geometry.placement(seven, 0)))
                .isZero();
    }

    @Test
    void anOrderIsKeptUntilAFirstChoiceChanges() {
        DraPublisher publisher = DraPublisher.of(DraOptions.of(new DraServer(36, 3)));
        DeviceModel model = Catalogue.builtin().model("A100-40GB");
        DraNode node = DraNode.builder()
                .name("n1")
                .addGpus(
                        DraGpu.builder().pciAddress("0000:01:00.0").model(model).build(),
                        DraGpu.builder().pciAddress("0000:02:00.0").model(model).build())
                .build();
        DraPublication empty = publisher.publish(node, Set.of(), List.of());
        // The first GPU is full: nobody is sent to the order on it.
        DraPublication full = publisher.publish(node, Set.of("gpu-0000-01-00-0-7g-40gb-0"), empty.slices());
        assertThat(full.change()).isEqualTo(DraPublication.Change.NONE);
        // A slice where no policy would put it changes what is best beside it.
        DraPublication odd = publisher.publish(node, Set.of("gpu-0000-01-00-0-1g-5gb-4"), empty.slices());
        assertThat(odd.change()).isEqualTo(DraPublication.Change.ORDER);
        assertThat(odd.update()).hasSize(1);
        assertThat(odd.generation()).isEqualTo(empty.generation());
    }
}
