package dev.sro.core.slicing.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.CatalogueException;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fixture.InventedModels;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.simulate.TestBed.Cell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The default policy on loads and models that it was not made for: fixed seeds, so that the outcome is fixed too. */
class TestBedTest {
    private static final List<PlacementPolicy> PEERS = List.of(
            Policies.firstFit(),
            Policies.bestFit(),
            Policies.bestFitBestIndex(),
            Policies.minimumFragmentation(),
            Policies.longestRun());
    private static final int DEVICES = 50;

    /** What the default may be behind the best of five others, which is known only afterwards. */
    private static final double SLACK = 0.003;

    /** So many runs of other seeds decide where a few runs say that the default is behind: three runs know little of their own error. */
    private static final int SECOND_LOOK = 24;

    /** The mean of fewer cells is chance. */
    private static final int MANY = 25;

    /** Of the whole test bed, every fourth cell in each build; all of them with {@code -Dsro.testbed.every=1}. */
    private static final int EVERY = Integer.getInteger("sro.testbed.every", 12);

    /** Models that nobody makes. Sixty of them were played: {@code -Dsro.testbed.invented=60}. */
    private static final int INVENTED = Integer.getInteger("sro.testbed.invented", 4);

    private static final long SEED = 11;
    private static final long OTHER_SEED = 1_000_003;

    /** One model of each kind in the catalogue: many differ in name, memory and engines that are never scarce. */
    static Collection<DeviceModel> kinds() {
        Map<List<Long>, DeviceModel> kinds = new LinkedHashMap<>();
        for (DeviceModel model : Catalogue.builtin().models()) {
            Geometry geometry = Geometry.of(model);
            List<Long> kind = new ArrayList<>(List.of((long) geometry.units()));
            for (int placement = 0; placement < geometry.placements(); placement++) {
                kind.add((long) geometry.profileOf(placement));
                kind.add((long) geometry.windowOf(placement));
            }
            for (int layout = 0; layout < geometry.layouts(); layout++) {
                kind.add(geometry.placementsOf(layout));
            }
            kinds.putIfAbsent(kind, model);
        }
        return kinds.values();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theDefaultIsAsGoodAsTheBestOnEveryKindOfDevice(DeviceModel model) {
        Geometry geometry = Geometry.of(model);
        List<Cell> cells = new ArrayList<>(TestBed.drifting(geometry, DEVICES).subList(0, 1));
        cells.addAll(some(TestBed.steady(geometry, DEVICES), "steady 0.85", "whole-heavy"));
        judge(geometry, cells, 3);
    }

    @Test
    void theDefaultIsAsGoodAsTheBestWhereMuchMoreIsAskedForThanThereIs() {
        Geometry geometry = Geometry.of(Catalogue.builtin().model("A100-80GB"));
        judge(geometry, some(TestBed.overloaded(geometry, DEVICES), "steady 2.0", "small", "bimodal", "half-heavy"), 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void theDefaultIsAsGoodAsTheBestOnDevicesThatNobodyMakes(int number) {
        Geometry geometry = Geometry.of(InventedModels.of(20_261_123L + number));
        judge(geometry, some(TestBed.steady(geometry, DEVICES), "steady 0.95", "uniform", "small"), 3);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("kinds")
    void theDefaultIsAsGoodAsTheBestOnTheWholeTestBed(DeviceModel model) {
        Geometry geometry = Geometry.of(model);
        List<Cell> cells = new ArrayList<>(TestBed.steady(geometry, DEVICES));
        cells.addAll(TestBed.drifting(geometry, DEVICES));
        cells.addAll(TestBed.overloaded(geometry, DEVICES));
        cells.addAll(TestBed.single(geometry, DEVICES));
        judge(geometry, everyNth(cells), 3);
    }

    private static List<Cell> everyNth(List<Cell> cells) {
        List<Cell> some = new ArrayList<>();
        for (int cell = 0; cell < cells.size(); cell += EVERY) {
            some.add(cells.get(cell));
        }
        return some;
    }

    @Tag("slow")
    @Test
    void theDefaultIsAsGoodAsTheBestOnManyDevicesThatNobodyMakes() {
        int played = 0;
        for (long seed = 77_000; played < INVENTED; seed++) {
            DeviceModel model = InventedModels.of(seed);
            if (isSmallEnough(model)) {
                Geometry geometry = Geometry.of(model);
                judge(geometry, some(TestBed.steady(geometry, DEVICES), "0.85", "uniform", "small", "whole-heavy"), 12);
                played++;
            }
        }
    }

    /** Some can be sliced in more ways than the library has tables for, which it says. */
    private static boolean isSmallEnough(DeviceModel model) {
        try {
            Geometry.of(model);
            return true;
        } catch (CatalogueException e) {
            assertThat(e).hasMessageContaining("more than 65535 ways to slice one device");
            return false;
        }
    }

    private static List<Cell> some(List<Cell> cells, String kind, String... mixes) {
        List<Cell> some = new ArrayList<>();
        for (Cell cell : cells) {
            for (String mix : mixes) {
                if (cell.name().contains(kind) && cell.name().endsWith(mix)) {
                    some.add(cell);
                }
            }
        }
        return some;
    }

    private static void judge(Geometry geometry, List<Cell> cells, int runs) {
        assertThat(behind(geometry, cells, runs)).as(geometry.model().key()).isEmpty();
    }

    /** The cells in which the default is behind; nor in the mean of many. */
    private static List<PolicyComparison> behind(Geometry geometry, List<Cell> cells, int runs) {
        PolicyTable policy = PolicyTable.of(geometry, Policies.standard());
        List<PolicyTable> peers =
                PEERS.stream().map(peer -> PolicyTable.of(geometry, peer)).toList();
        List<PolicyComparison> behind = new ArrayList<>();
        double sum = 0;
        for (Cell cell : cells) {
            PolicyComparison result = PolicyComparison.of(policy, peers, DEVICES, cell, runs, SEED);
            sum += result.difference();
            if (result.difference() < -SLACK) {
                // Against the one that was best then: who is best of five is in part who was lucky.
                List<PolicyTable> best = peers.stream()
                        .filter(peer -> peer.name().equals(result.best()))
                        .toList();
                PolicyComparison again = PolicyComparison.of(policy, best, DEVICES, cell, SECOND_LOOK, OTHER_SEED);
                if (again.difference() < -SLACK) {
                    behind.add(again);
                }
            }
        }
        if (cells.size() >= MANY) {
            assertThat(sum / cells.size()).as(geometry.model().key()).isGreaterThan(-SLACK);
        }
        return behind;
    }

    /** Ten devices are full after some twenty requests: it has to know by then what is asked for. */
    @Test
    void theDefaultLearnsBeforeFewDevicesAreFull() {
        Geometry geometry = Geometry.of(Catalogue.builtin().model("A100-80GB"));
        assertThat(ahead(geometry, 10, some(TestBed.filling(geometry, 10), "fill", "big", "bimodal", "whole-heavy")))
                .isGreaterThan(-SLACK);
    }

    /** Which has 32,000 layouts. */
    @Test
    void aContestIsHeldForDevicesWithVeryManyLayoutsToo() {
        Geometry geometry = Geometry.of(InventedModels.of(504));
        assertThat(ahead(geometry, 40, some(TestBed.filling(geometry, 40), "fill", "small")))
                .isGreaterThan(-SLACK);
    }

    /** How far ahead of the best other policy of each cell, in the mean. */
    private static double ahead(Geometry geometry, int devices, List<Cell> cells) {
        PolicyTable policy = PolicyTable.of(geometry, Policies.standard());
        List<PolicyTable> peers =
                PEERS.stream().map(peer -> PolicyTable.of(geometry, peer)).toList();
        return cells.stream()
                .mapToDouble(cell -> PolicyComparison.of(policy, peers, devices, cell, 2 * SECOND_LOOK, OTHER_SEED)
                        .difference())
                .average()
                .orElseThrow();
    }

    @Test
    void aModelThatIsNearlyFullIsLeftToThoseWhoCanGoNowhereElse() {
        MixedFleet fleet = fleet(20, "H100-94GB", "H100-96GB", "H20-96GB", "RTXPRO6000-96GB", "RTXPRO5000-48GB");
        double standard = fleet.accepted(Policies.standard(), share -> 1, 0.85, 5);
        for (PlacementPolicy peer : PEERS) {
            assertThat(standard).as(peer.name()).isGreaterThan(fleet.accepted(peer, share -> 1, 0.85, 5) + 0.05);
        }
    }

    @Test
    void theDefaultIsAsGoodAsTheBestOnSevenModelsAtOnce() {
        MixedFleet fleet = sevenModels();
        double standard = mean(fleet, Policies.standard());
        for (PlacementPolicy peer : PEERS) {
            assertThat(standard).as(peer.name()).isGreaterThan(mean(fleet, peer) - SLACK);
        }
    }

    /** What the default loses on seven models it loses inside them: were moves free, its choice of the model would cost next to nothing. */
    @Test
    void theChoiceOfTheModelCostsNextToNothing() {
        MixedFleet fleet = sevenModels();
        double chosen = fleet.repacked(Policies.standard(), false, share -> 1, 0.85, 1);
        double free = fleet.repacked(Policies.standard(), true, share -> 1, 0.85, 1);
        assertThat(chosen).isBetween(free - 0.008, free + 0.003);
        assertThat(chosen).isGreaterThan(fleet.accepted(Policies.standard(), share -> 1, 0.85, 1) + 0.02);
    }

    @Test
    void takingTheFirstModelInsteadCostsFarMore() {
        MixedFleet fleet = fleet(20, "H100-94GB", "H100-96GB", "H20-96GB", "RTXPRO6000-96GB", "RTXPRO5000-48GB");
        double chosen = fleet.repacked(Policies.standard(), false, share -> 1, 0.85, 1);
        assertThat(chosen).isGreaterThan(fleet.repacked(Policies.bestFit(), false, share -> 1, 0.85, 1) + 0.02);
    }

    private static MixedFleet sevenModels() {
        return fleet(
                14, "A30-24GB", "A100-40GB", "A100-80GB", "H100-80GB", "H100-94GB", "H200-141GB", "RTXPRO6000-96GB");
    }

    private static double mean(MixedFleet fleet, PlacementPolicy policy) {
        return LongStream.range(0, 2)
                .mapToDouble(seed -> fleet.accepted(policy, share -> 1, 0.85, seed))
                .average()
                .orElseThrow();
    }

    private static MixedFleet fleet(int devices, String... models) {
        return new MixedFleet(
                List.of(models).stream().map(Catalogue.builtin()::model).toList(), devices);
    }
}
