package dev.sro.core.slicing.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.sro.core.slicing.defrag.AdmissionPlan;
import dev.sro.core.slicing.defrag.Compaction;
import dev.sro.core.slicing.defrag.Defragmenter;
import dev.sro.core.slicing.defrag.Disruption;
import dev.sro.core.slicing.fixture.ListFleet;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.MixedDemand;
import dev.sro.core.slicing.pack.MixedPacker;
import dev.sro.core.slicing.pack.MixedPacking;
import dev.sro.core.slicing.pack.Packer;
import dev.sro.core.slicing.pack.Packing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Certificate, packers and moves are as good as what a solver proves to be best. */
@Tag("slow")
class CpSatTest {
    private static final List<Feasibility> MODELS = Stream.of(
                    Models.a100(), Models.a100WithMedia(), OtherModels.a30(), OtherModels.rtxPro6000())
            .map(model -> Feasibility.of(Geometry.of(model)))
            .toList();
    private static final int RUNS = 40;

    @BeforeAll
    static void solver() {
        Programme.needsSolver();
    }

    static Stream<Arguments> runs() {
        return MODELS.stream()
                .flatMap(model ->
                        Stream.iterate(1L, seed -> seed + 1).limit(RUNS).map(seed -> Arguments.of(model, seed)));
    }

    private static long[] counts(Feasibility model, SplittableRandom random, int most) {
        long[] counts = new long[model.geometry().profiles()];
        for (int p = 0; p < counts.length; p++) {
            counts[p] = random.nextInt(3) == 0 ? 0 : random.nextInt(most + 1);
        }
        return counts;
    }

    @ParameterizedTest(name = "seed {1}")
    @MethodSource("runs")
    void aPackingExistsExactlyWhereTheCertificateSaysSo(Feasibility model, long seed) {
        long[] counts = counts(model, new SplittableRandom(seed), 4);
        long fewest = model.minDevices(counts);
        Packing packing = Packer.of(model).pack(counts);
        assertThat(packing.devices()).isEqualTo(fewest);
        assertThat(fits(model, counts, (int) fewest))
                .as(Arrays.toString(counts))
                .isTrue();
        assertThat(fewest > 0 && fits(model, counts, (int) fewest - 1))
                .as(Arrays.toString(counts))
                .isFalse();
    }

    private static boolean fits(Feasibility model, long[] counts, int devices) {
        Programme programme = new Programme();
        programme.fleet(model.geometry(), devices, counts);
        return programme.least(LinearExpr.newBuilder()) >= 0;
    }

    @ParameterizedTest(name = "seed {1}")
    @MethodSource("runs")
    void thousandsOfDevicesAreNoMoreThanTheBestChoiceOfLayouts(Feasibility model, long seed) {
        long[] counts = counts(model, new SplittableRandom(seed), 5000);
        Programme programme = new Programme();
        LinearExprBuilder devices = LinearExpr.newBuilder();
        layouts(programme, devices, model, 1, Arrays.stream(counts).sum(), counts.length, (sums, p) -> {
            programme.model.addGreaterOrEqual(sums, counts[p]);
        });
        assertThat(programme.least(devices)).isEqualTo(model.minDevices(counts));
    }

    /** What is done with the number of instances of a profile. */
    private interface PerProfile {
        void accept(LinearExprBuilder sum, int profile);
    }

    /** One variable for each layout: how many devices carry it. */
    private static void layouts(
            Programme programme,
            LinearExprBuilder cost,
            Feasibility model,
            long price,
            long most,
            int profiles,
            PerProfile then) {
        LinearExprBuilder[] sums = new LinearExprBuilder[profiles];
        Arrays.setAll(sums, p -> LinearExpr.newBuilder());
        for (int set = 1; set < model.multisets().size(); set++) {
            IntVar devices = programme.model.newIntVar(0, most, "");
            cost.addTerm(devices, price);
            for (int p = 0; p < profiles; p++) {
                sums[p].addTerm(devices, model.multisets().count(set, p));
            }
        }
        for (int p = 0; p < profiles; p++) {
            then.accept(sums[p], p);
        }
    }

    static Stream<Long> seeds() {
        return Stream.iterate(1L, seed -> seed + 1).limit(RUNS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void severalModelsCostAsLittleAsTheBestChoiceOfLayouts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MixedPacker.Builder builder = MixedPacker.builder();
        List<Feasibility> models = List.of(MODELS.get(0), MODELS.get(2), MODELS.get(3));
        long[] prices = new long[models.size()];
        for (int m = 0; m < prices.length; m++) {
            prices[m] = 1L + random.nextInt(50);
            builder.add(models.get(m), prices[m]);
        }
        List<MixedDemand> demands = new ArrayList<>();
        for (int j = 0; j < 4; j++) {
            Map<String, String> profiles = new HashMap<>();
            for (Feasibility model : models) {
                Geometry geometry = model.geometry();
                profiles.put(
                        geometry.model().key(),
                        geometry.profile(random.nextInt(geometry.profiles())).name());
            }
            demands.add(new MixedDemand(random.nextInt(200), profiles));
        }
        MixedPacking packing = builder.build().pack(demands);
        long least = leastCost(models, prices, demands);
        assertThat(packing.lowerBound())
                .as("%s at %s", demands, Arrays.toString(prices))
                .isLessThanOrEqualTo(least);
        // Of 200 seeds one is not proved in the steps allowed; what is found is the least all the same.
        assertThat(packing.gap())
                .as("%s at %s", demands, Arrays.toString(prices))
                .isLessThanOrEqualTo(5);
        assertThat(packing.cost())
                .as("%s at %s", demands, Arrays.toString(prices))
                .isEqualTo(least);
    }

    private static long leastCost(List<Feasibility> models, long[] prices, List<MixedDemand> demands) {
        Programme programme = new Programme();
        LinearExprBuilder cost = LinearExpr.newBuilder();
        LinearExprBuilder[] shares = new LinearExprBuilder[demands.size()];
        Arrays.setAll(shares, j -> LinearExpr.newBuilder());
        long most = demands.stream().mapToLong(MixedDemand::count).sum();
        for (int m = 0; m < prices.length; m++) {
            Geometry geometry = models.get(m).geometry();
            LinearExprBuilder[] wanted = new LinearExprBuilder[geometry.profiles()];
            Arrays.setAll(wanted, p -> LinearExpr.newBuilder());
            for (int j = 0; j < demands.size(); j++) {
                IntVar share = programme.model.newIntVar(0, most, "");
                shares[j].add(share);
                String name =
                        demands.get(j).profiles().getOrDefault(geometry.model().key(), "");
                wanted[geometry.model().indexOf(name)].add(share);
            }
            layouts(programme, cost, models.get(m), prices[m], most, geometry.profiles(), (sum, p) -> {
                programme.model.addGreaterOrEqual(sum, wanted[p]);
            });
        }
        for (int j = 0; j < shares.length; j++) {
            programme.model.addEquality(shares[j], demands.get(j).count());
        }
        return programme.least(cost);
    }

    private static ListFleet fleet(Geometry geometry, SplittableRandom random) {
        ListFleet fleet = new ListFleet(geometry, new int[2 + random.nextInt(7)]);
        for (int event = random.nextInt(40); event > 0; event--) {
            int device = random.nextInt(fleet.devices());
            int placement = random.nextInt(geometry.placements());
            if (geometry.toggle(fleet.layoutOf(device), placement) != Geometry.ILLEGAL) {
                fleet.toggle(device, placement);
            }
        }
        return fleet;
    }

    private static long[] counts(ListFleet fleet) {
        Geometry geometry = fleet.geometry();
        long[] counts = new long[geometry.profiles()];
        for (int device = 0; device < fleet.devices(); device++) {
            for (int k = 0; k < geometry.placements(); k++) {
                counts[geometry.profileOf(k)] += geometry.holds(fleet.layoutOf(device), k) ? 1 : 0;
            }
        }
        return counts;
    }

    /** Instances that are not where they were; instances of a profile stand in for each other. */
    private static LinearExprBuilder moves(ListFleet before, List<IntVar[]> after) {
        LinearExprBuilder moves = LinearExpr.newBuilder();
        for (int device = 0; device < before.devices(); device++) {
            for (int k = 0; k < before.geometry().placements(); k++) {
                if (before.geometry().holds(before.layoutOf(device), k)) {
                    moves.add(1).addTerm(after.get(device)[k], -1);
                }
            }
        }
        return moves;
    }

    @ParameterizedTest(name = "seed {1}")
    @MethodSource("runs")
    void aStuckRequestIsAdmittedWithTheFewestMoves(Feasibility model, long seed) {
        ListFleet fleet = fleet(model.geometry(), new SplittableRandom(seed));
        for (int profile = 0; profile < model.geometry().profiles(); profile++) {
            long[] counts = counts(fleet);
            counts[profile]++;
            Programme programme = new Programme();
            List<IntVar[]> after = programme.fleet(model.geometry(), fleet.devices(), counts);
            long least = programme.least(moves(fleet, after));
            AdmissionPlan plan = Defragmenter.of(model).admit(fleet, Disruption.equal(), profile, 4);
            if (least < 0) {
                assertThat(plan.verdict()).isEqualTo(AdmissionPlan.Verdict.INFEASIBLE);
            } else if (least > 4) {
                assertThat(plan.verdict()).isEqualTo(AdmissionPlan.Verdict.BEYOND_LIMIT);
            } else if (plan.minimal()) {
                assertThat(plan.moves()).as("%s profile %s", fleet, profile).hasSize((int) least);
            } else {
                assertThat(plan.moves().size()).isGreaterThanOrEqualTo((int) least);
                assertThat(plan.sequential()).isTrue();
            }
        }
    }

    @ParameterizedTest(name = "seed {1}")
    @MethodSource("runs")
    void devicesAreFreedWithTheFewestMoves(Feasibility model, long seed) {
        ListFleet fleet = fleet(model.geometry(), new SplittableRandom(seed));
        Compaction plan = Defragmenter.of(model).compact(fleet, Disruption.equal(), 1000);
        Programme programme = new Programme();
        List<IntVar[]> after = programme.fleet(model.geometry(), fleet.devices(), counts(fleet));
        LinearExprBuilder inUse = LinearExpr.newBuilder();
        for (IntVar[] on : after) {
            IntVar used = programme.model.newBoolVar("");
            inUse.add(used);
            for (IntVar each : on) {
                programme.model.addLessOrEqual(each, used);
            }
        }
        programme.model.addLessOrEqual(inUse, plan.devicesAfter());
        long least = programme.least(moves(fleet, after));
        assertThat(plan.devicesAfter()).isEqualTo((int) plan.fewest());
        assertThat(plan.bound()).as("%s", fleet).isLessThanOrEqualTo(least);
        assertThat(plan.cost()).as("%s", fleet).isGreaterThanOrEqualTo(least);
        assertThat(plan.gap()).as("%s", fleet).isZero();
    }
}
