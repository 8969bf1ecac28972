package dev.sro.core.slicing.defrag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.ListFleet;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import java.util.List;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class DefragPropertyTest {
    private static final List<Feasibility> MODELS = List.of(
            Feasibility.of(Geometry.of(Models.a100())),
            Feasibility.of(Geometry.of(Models.a100WithMedia())),
            Feasibility.of(Geometry.of(OtherModels.a30())),
            Feasibility.of(Geometry.of(OtherModels.rtxPro6000())));
    private static final List<Defragmenter> PLANNERS =
            MODELS.stream().map(Defragmenter::of).toList();

    private static ListFleet fleet(Geometry geometry, int devices, List<Integer> events) {
        ListFleet fleet = new ListFleet(geometry, new int[devices]);
        for (int event : events) {
            int device = event % devices;
            int placement = event / devices % geometry.placements();
            if (geometry.toggle(fleet.layoutOf(device), placement) != Geometry.ILLEGAL) {
                fleet.toggle(device, placement);
            }
        }
        return fleet;
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void admitsAtTheLeastCostThatAnExhaustiveSearchFinds(
            @ForAll @IntRange(max = 3) int model,
            @ForAll @IntRange(min = 1, max = 3) int devices,
            @ForAll @Size(max = 22) List<@IntRange(max = 100_000) Integer> events,
            @ForAll @IntRange(max = 10) int request,
            @ForAll @IntRange(max = 3) int weighting,
            @ForAll long seed) {
        Geometry geometry = MODELS.get(model).geometry();
        int profile = request % geometry.profiles();
        ListFleet fleet = fleet(geometry, devices, events);
        SmallOracle oracle = new SmallOracle(fleet);
        Disruption disruption = weigh(fleet, weighting, new Random(seed), oracle);
        String paste = fleet + " profile " + profile + " costs " + disruption.costs();
        AdmissionPlan plan = PLANNERS.get(model).admit(fleet, disruption, profile, 3);
        long least = oracle.leastCost(profile, 3);
        if (least < 0) {
            assertThat(plan.admits()).as(paste).isFalse();
            assertThat(plan.verdict() == AdmissionPlan.Verdict.INFEASIBLE)
                    .as(paste)
                    .isEqualTo(!MODELS.get(model).feasibleWithOneMore(oracle.counts(), profile, devices));
            return;
        }
        assertThat(plan.admits()).as(paste).isTrue();
        assertThat(plan.verdict() == AdmissionPlan.Verdict.DIRECT).as(paste).isEqualTo(least == 0);
        assertThat(plan.moves().isEmpty()).as(paste).isEqualTo(least == 0);
        if (plan.minimal()) {
            assertThat(plan.cost()).as(paste).isEqualTo(least);
        } else {
            // Dearer only for the sake of an order.
            assertThat(plan.sequential()).as(paste).isTrue();
            assertThat(plan.cost()).as(paste).isGreaterThanOrEqualTo(least);
        }
        assertThat(oracle.cost(plan.moves())).as(paste).isEqualTo(plan.cost());
        ListFleet after = Replay.of(
                fleet, plan.moves(), plan.sequential() ? 0 : plan.moves().size());
        after.toggle(plan.device(), plan.placement());
        assertThat(geometry.holds(after.layoutOf(plan.device()), plan.placement()))
                .as(paste)
                .isTrue();
        assertThat(geometry.profileOf(plan.placement())).isEqualTo(profile);
    }

    private static Disruption weigh(ListFleet fleet, int weighting, Random random, SmallOracle oracle) {
        Disruption.Builder builder = Disruption.builder();
        for (int device = 0; device < fleet.devices() && weighting > 0; device++) {
            for (int placement = 0; placement < fleet.geometry().placements(); placement++) {
                if (fleet.geometry().holds(fleet.layoutOf(device), placement) && random.nextInt(3) < weighting) {
                    if (random.nextInt(3) == 0) {
                        builder.pin(device, placement);
                        oracle.cost(device, placement, -1);
                    } else {
                        int cost = 1 + random.nextInt(4);
                        builder.cost(device, placement, cost);
                        oracle.cost(device, placement, cost);
                    }
                }
            }
        }
        return builder.build();
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void compactsWithoutEverBreakingARule(
            @ForAll @IntRange(max = 3) int model,
            @ForAll @IntRange(min = 1, max = 40) int devices,
            @ForAll @Size(max = 200) List<@IntRange(max = 100_000) Integer> events,
            @ForAll @IntRange(max = 60) int budget,
            @ForAll @IntRange(max = 2) int weighting,
            @ForAll long seed) {
        Geometry geometry = MODELS.get(model).geometry();
        ListFleet fleet = fleet(geometry, devices, events);
        SmallOracle oracle = new SmallOracle(fleet);
        Disruption disruption = weigh(fleet, weighting, new Random(seed), oracle);
        String paste = fleet + " budget " + budget + " costs " + disruption.costs();
        Compaction plan = PLANNERS.get(model).compact(fleet, disruption, budget);
        assertThat(plan.cost()).as(paste).isBetween(plan.bound(), (long) budget);
        assertThat(oracle.cost(plan.moves())).as(paste).isEqualTo(plan.cost());
        assertThat(plan.fewest()).as(paste).isEqualTo(MODELS.get(model).minDevices(oracle.counts()));
        ListFleet after = Replay.withDetours(fleet, plan.moves(), plan.stopFirst());
        assertThat(new SmallOracle(after).counts()).as(paste).isEqualTo(oracle.counts());
        assertThat(devices - after.count(0)).as(paste).isEqualTo(plan.devicesAfter());
        assertThat(plan.devicesAfter()).as(paste).isGreaterThanOrEqualTo((int) plan.fewest());
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void reachesTheFewestDevicesWhereNothingIsPinned(
            @ForAll @IntRange(max = 3) int model,
            @ForAll @IntRange(min = 1, max = 40) int devices,
            @ForAll @Size(max = 200) List<@IntRange(max = 100_000) Integer> events) {
        ListFleet fleet = fleet(MODELS.get(model).geometry(), devices, events);
        Compaction plan = PLANNERS.get(model).compact(fleet, Disruption.equal(), 10_000);
        assertThat(plan.devicesAfter()).as("%s", fleet).isEqualTo((int) plan.fewest());
        // No proof, but what rounding has been seen to cost; a larger gap would be a step back.
        assertThat(plan.gap()).as("%s", fleet).isLessThanOrEqualTo(8);
    }
}
