package dev.sro.core.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

class MovePlanPropertyTest {
    private static final DeviceModel A100 = Models.a100();
    private static final DeviceModel CLASSIC =
            DeviceModel.builder().from(Models.a100Classic()).key("classic").build();
    private static final List<String> PROFILES =
            A100.profiles().stream().map(profile -> profile.name()).toList();

    /** Two models on two nodes, cluttered; some claims are pinned, foreign or dear. */
    private static SliceAllocator fleet(Random random, int devices, int tries) {
        SliceAllocator allocator = SliceAllocator.create();
        for (int i = 0; i < devices; i++) {
            allocator.addDevice(SliceDevice.builder()
                    .id("gpu-" + i)
                    .model(i % 4 == 3 ? CLASSIC : A100)
                    .node("node-" + i % 2)
                    .cordoned(random.nextInt(8) == 0)
                    .build());
        }
        Geometry geometry = Geometry.of(A100);
        for (int i = 0; i < tries; i++) {
            int placement = random.nextInt(geometry.placements());
            try {
                allocator.adopt(SliceClaim.builder()
                        .id("c" + i)
                        .device("gpu-" + random.nextInt(devices))
                        .profile(PROFILES.get(geometry.profileOf(placement)))
                        .start(geometry.startOf(placement))
                        .pinned(random.nextInt(8) == 0)
                        .foreign(random.nextInt(8) == 0)
                        .disruptionCost(random.nextInt(3) == 0 ? 3 : 1)
                        .build());
            } catch (SliceException e) {
                assertThat(e.code()).isEqualTo(SliceException.Code.ILLEGAL_PLACEMENT);
            }
        }
        return allocator;
    }

    private static long cost(SliceAllocator allocator, MovePlan plan) {
        return plan.moves().stream()
                .mapToLong(move -> allocator.claim(move.claim()).orElseThrow().disruptionCost())
                .sum();
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    void aPlanForAConstrainedRequestAdmitsItAndMovesNothingElsewhere(
            @ForAll long seed, @ForAll @IntRange(max = 5) int profile) {
        SliceAllocator allocator = fleet(new Random(seed), 6, 40);
        SliceRequest request = SliceRequest.builder()
                .claim("new")
                .profile(PROFILES.get(profile))
                .node("node-1")
                .build();
        Map<String, String> nodes =
                allocator.devices().stream().collect(Collectors.toMap(SliceDevice::id, SliceDevice::node));
        MovePlan plan = allocator.planAdmission(request, 3).orElse(null);
        if (plan == null) {
            assertThat(allocator.fits(request)).isFalse();
            return;
        }
        assertThat(plan.moves()).hasSizeLessThanOrEqualTo(3).allSatisfy(move -> {
            assertThat(nodes.get(move.fromDevice())).isEqualTo("node-1");
            assertThat(nodes.get(move.toDevice())).isEqualTo("node-1");
        });
        assertThat(plan.cost()).isEqualTo(cost(allocator, plan));
        MovePlans.doStepByStep(allocator, plan);
        MovePlan.Room room = plan.room().orElseThrow();
        allocator.adopt(SliceClaim.builder()
                .id("new")
                .device(room.device())
                .start(room.start())
                .profile(request.profile())
                .build());
        assertThat(nodes.get(room.device())).isEqualTo("node-1");
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    @Tag("slow")
    void plansForManyConstrainedRequestsAdmitThem(@ForAll long seed, @ForAll @IntRange(max = 5) int profile) {
        aPlanForAConstrainedRequestAdmitsItAndMovesNothingElsewhere(seed, profile);
    }

    @Property(tries = 40, edgeCases = EdgeCasesMode.NONE)
    void aConstraintThatHoldsEverywhereCostsNothing(@ForAll long seed, @ForAll @IntRange(max = 5) int profile) {
        SliceAllocator allocator = fleet(new Random(seed), 4, 25);
        SliceAllocator labelled = SliceAllocator.create();
        allocator
                .devices()
                .forEach(device -> labelled.addDevice(SliceDevice.builder()
                        .from(device)
                        .putLabels("here", "yes")
                        .build()));
        allocator.claims().forEach(labelled::adopt);
        SliceRequest request = SliceRequest.of("new", PROFILES.get(profile));
        SliceRequest constrained =
                SliceRequest.builder().from(request).putLabels("here", "yes").build();
        assertThat(labelled.planAdmission(constrained, 3)).isEqualTo(allocator.planAdmission(request, 3));
        assertThat(allocator.whatIf().allocate(request) instanceof Decision.Refused refused
                        && refused.reason() == Decision.Reason.FRAGMENTED)
                .isEqualTo(labelled.whatIf().allocate(constrained) instanceof Decision.Refused narrowed
                        && narrowed.reason() == Decision.Reason.FRAGMENTED);
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    @Tag("slow")
    void aConstraintThatHoldsEverywhereCostsNothingInManyFleets(
            @ForAll long seed, @ForAll @IntRange(max = 5) int profile) {
        aConstraintThatHoldsEverywhereCostsNothing(seed, profile);
    }

    @Property(tries = 40, edgeCases = EdgeCasesMode.NONE)
    void compactionFreesWhatItSaysWithinTheBudget(@ForAll long seed, @ForAll @IntRange(max = 12) int budget) {
        SliceAllocator allocator = fleet(new Random(seed), 8, 20);
        List<SliceClaim> before = allocator.claims();
        List<CompactionPlan> plans = allocator.planCompaction(budget);
        assertThat(plans).extracting(CompactionPlan::model).containsExactly("A100-40GB", "classic");
        assertThat(plans.stream().mapToLong(plan -> plan.plan().cost()).sum()).isLessThanOrEqualTo(budget);
        for (CompactionPlan plan : plans) {
            assertThat(used(allocator, plan.model())).isEqualTo(plan.devicesBefore());
            assertThat(plan.plan().cost())
                    .isEqualTo(cost(allocator, plan.plan()))
                    .isGreaterThanOrEqualTo(plan.bound());
            assertThat((long) plan.devicesAfter()).isBetween(plan.fewest(), (long) plan.devicesBefore());
            MovePlans.doStepByStep(allocator, plan.plan());
            assertThat(used(allocator, plan.model())).isEqualTo(plan.devicesAfter());
        }
        Function<SliceClaim, String> what = claim -> claim.id() + claim.profile();
        assertThat(allocator.claims().stream().map(what))
                .isEqualTo(before.stream().map(what).toList());
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    @Tag("slow")
    void compactionFreesWhatItSaysInManyFleets(@ForAll long seed, @ForAll @IntRange(max = 12) int budget) {
        compactionFreesWhatItSaysWithinTheBudget(seed, budget);
    }

    private static int used(SliceAllocator allocator, String model) {
        Map<String, Long> claims = allocator.claims().stream()
                .collect(Collectors.groupingBy(SliceClaim::device, TreeMap::new, Collectors.counting()));
        return (int) allocator.devices().stream()
                .filter(device -> device.model().key().equals(model) && !device.cordoned())
                .filter(device -> claims.containsKey(device.id()))
                .count();
    }

    @Example
    void compactionOfOneModelLeavesOthersAlone() {
        SliceAllocator allocator = fleet(new Random(1), 8, 30);
        assertThat(allocator.planCompaction("classic", 100))
                .isEqualTo(List.of(allocator.planCompaction(100).get(1)));
        assertThat(allocator.planCompaction("H100", 100)).isEmpty();
        assertThatThrownBy(() -> allocator.planCompaction(-1))
                .isInstanceOfSatisfying(
                        SliceException.class, e -> assertThat(e.code()).isEqualTo(SliceException.Code.INVALID_REQUEST));
    }
}
