package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.policy.Regime;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementRankingTest {
    private static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");

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
    void lossClassesSayWhatWidthIsTakenFromOthers() {
        Geometry geometry = Geometry.of(A100);
        PlacementRanking ranking =
                ModelTables.of(A100, DraOptions.of(new DraServer(36, 3))).ranking();
        GpuLoad empty = new GpuLoad(geometry, 0, 0);
        GpuLoad half = empty.with(placement(geometry, "3g.20gb", 0));
        GpuLoad broken = half.with(placement(geometry, "1g.5gb", 6));
        int one = placement(geometry, "1g.5gb", 4);
        assertThat(ranking.lossClass(empty, one)).isEqualTo(2);
        assertThat(ranking.lossClass(half, one)).isEqualTo(1);
        assertThat(ranking.lossClass(broken, one)).isEqualTo(0);
        assertThat(ranking.lossClass(half, placement(geometry, "3g.20gb", 4))).isEqualTo(1);
        assertThat(ranking.lossClass(GpuLoad.full(geometry), one)).isEqualTo(2);
    }

    @Test
    void whatCannotBeHadHasTheClassAndTheRankThatItWillHave() {
        Geometry geometry = Geometry.of(A100);
        PlacementRanking ranking =
                ModelTables.of(A100, DraOptions.of(new DraServer(36, 3))).ranking();
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            GpuLoad load = new GpuLoad(geometry, geometry.placementsOf(layout), 0);
            List<Integer> order = ranking.order(load);
            for (long rest = load.placements(); rest != 0; rest &= rest - 1) {
                int gone = Long.numberOfTrailingZeros(rest);
                GpuLoad after = new GpuLoad(geometry, load.placements() & ~(1L << gone), 0);
                assertThat(ranking.lossClass(load, gone)).isEqualTo(ranking.lossClass(after, gone));
                for (int profile = 0; profile < geometry.profiles(); profile++) {
                    int best = first(ranking.order(after), geometry, profile, after);
                    if (best != PolicyTable.NONE && overlap(geometry, best, gone)) {
                        assertThat(first(order, geometry, profile, after)).isEqualTo(best);
                    }
                }
            }
        }
    }

    private static boolean overlap(Geometry geometry, int one, int other) {
        return (geometry.windowOf(one) & geometry.windowOf(other)) != 0;
    }

    private static int first(List<Integer> order, Geometry geometry, int profile, GpuLoad load) {
        return order.stream()
                .filter(placement -> geometry.profileOf(placement) == profile && load.fits(placement))
                .findFirst()
                .orElse(PolicyTable.NONE);
    }

    private static int placement(Geometry geometry, String profile, int start) {
        return geometry.placement(geometry.model().indexOf(profile), start);
    }

    @Test
    void lossClassesAreWrittenWhereTheyAreAskedFor() {
        DraPublisher publisher = DraPublisher.of(DraOptions.of(new DraServer(36, 3)));
        DraNode node = DraNode.builder()
                .name("n1")
                .addGpus(
                        DraGpu.builder().pciAddress("0000:01:00.0").model(A100).build(),
                        DraGpu.builder().pciAddress("0000:02:00.0").model(A100).build())
                .build();
        List<ResourceSlice> empty = publisher.publish(node, Set.of(), List.of()).slices();
        Set<String> half = Set.of("gpu-0000-02-00-0-3g-20gb-4");
        // First-fit comes to the first GPU only; a claim by loss class is better off on the second.
        assertThat(publisher.publish(node, half, empty).change()).isEqualTo(DraPublication.Change.NONE);
        DraPublication asked = publisher.publish(node, half, empty, Set.of(DraDetail.LOSS_CLASSES));
        assertThat(asked.change()).isEqualTo(DraPublication.Change.ORDER);
        assertThat(asked.update()).hasSize(1);
        assertThat(new Scheduler(asked.slices())
                        .allocate(Scheduler.profile("1g.5gb").and(device -> lossClass(device) <= 1), half))
                .hasValueSatisfying(device -> assertThat(device.getName()).startsWith("gpu-0000-02-00-0-1g-5gb"));
        assertThat(publisher
                        .publish(node, Set.of(), asked.slices(), Set.of(DraDetail.LOSS_CLASSES))
                        .writes())
                .isEqualTo(1);
    }

    private static long lossClass(Device device) {
        return Objects.requireNonNull(device.getAttributes().get(DeviceFactory.LOSS_CLASS))
                .getInt();
    }

    @Test
    void anOrderIsKeptUntilAFirstChoiceChanges() {
        DraPublisher publisher = DraPublisher.of(DraOptions.of(new DraServer(36, 3)));
        DraNode node = DraNode.builder()
                .name("n1")
                .addGpus(
                        DraGpu.builder().pciAddress("0000:01:00.0").model(A100).build(),
                        DraGpu.builder().pciAddress("0000:02:00.0").model(A100).build())
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
