package dev.sro.core.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.Decision.Reason;
import dev.sro.core.slicing.Decision.Refused;
import dev.sro.core.slicing.fixture.Models;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** Gangs that are stuck get plans with moves. */
class GangPlanTest {
    private static final List<String> PROFILES =
            Models.a100().profiles().stream().map(profile -> profile.name()).toList();

    private static SliceAllocator devices(int count) {
        SliceAllocator allocator = SliceAllocator.create();
        for (int i = 0; i < count; i++) {
            allocator.addDevice(SliceDevice.builder()
                    .id("gpu-" + i)
                    .model(Models.a100())
                    .node("node-" + i / 2)
                    .topologyGroup("group-" + i % 2)
                    .putLabels("rack", "r" + i % 3)
                    .build());
        }
        return allocator;
    }

    private static void put(SliceAllocator allocator, String claim, String device, String profile, int start) {
        allocator.adopt(SliceClaim.builder()
                .id(claim)
                .device(device)
                .profile(profile)
                .start(start)
                .build());
    }

    private static List<SliceRequest> gang(String... profiles) {
        return IntStream.range(0, profiles.length)
                .mapToObj(i -> SliceRequest.of("piece-" + i, profiles[i]))
                .toList();
    }

    private static MovePlan planOf(SliceAllocator allocator, List<SliceRequest> gang, Spread spread) {
        Refused refused = (Refused) allocator.allocateGang(gang, spread);
        assertThat(refused.reason()).isEqualTo(Reason.FRAGMENTED);
        return refused.plan().orElseThrow();
    }

    @Example
    void twoHalvesOnOneDevicePushOutWhatIsThere() {
        SliceAllocator allocator = devices(2);
        put(allocator, "low", "gpu-0", "1g.5gb", 0);
        put(allocator, "high", "gpu-1", "1g.5gb", 6);
        List<SliceRequest> gang = gang("3g.20gb", "4g.20gb");
        MovePlan plan = planOf(allocator, gang, Spread.SAME_DEVICE);
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.rooms())
                .hasSize(2)
                .extracting(MovePlan.Room::device)
                .containsOnly(plan.moves().get(0).fromDevice());
        allocator.apply(plan);
        assertThat(allocator.allocateGang(gang, Spread.SAME_DEVICE).granted()).isTrue();
    }

    @Example
    void wholeDevicesOnOneNodePushOutWhatIsThere() {
        SliceAllocator allocator = devices(4);
        put(allocator, "a", "gpu-0", "1g.5gb", 0);
        put(allocator, "b", "gpu-2", "1g.5gb", 0);
        List<SliceRequest> gang = gang("7g.40gb", "7g.40gb");
        MovePlan plan = planOf(allocator, gang, Spread.SAME_NODE);
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.oneByOne()).isTrue();
        allocator.apply(plan);
        assertThat(allocator.allocateGang(gang, Spread.SAME_NODE).granted()).isTrue();
    }

    @Example
    void whatOneSliceOfTheGangGotIsNotTakenByTheNext() {
        SliceAllocator allocator = devices(3);
        put(allocator, "a", "gpu-0", "1g.5gb", 0);
        put(allocator, "b", "gpu-1", "1g.5gb", 0);
        List<SliceRequest> gang = gang("7g.40gb", "7g.40gb");
        MovePlan plan = planOf(allocator, gang, Spread.ANYWHERE);
        assertThat(plan.moves()).hasSize(1);
        allocator.apply(plan);
        assertThat(allocator.allocateGang(gang, Spread.ANYWHERE).granted()).isTrue();
    }

    @Example
    void aPinnedClaimStaysAndThereIsNoPlan() {
        SliceAllocator allocator = devices(1);
        allocator.adopt(SliceClaim.builder()
                .id("pinned")
                .device("gpu-0")
                .profile("1g.5gb")
                .start(1)
                .pinned(true)
                .build());
        Refused refused = (Refused) allocator.allocateGang(gang("3g.20gb", "3g.20gb"), Spread.SAME_DEVICE);
        assertThat(refused.plan()).isEmpty();
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
    void aPlanForAGangAdmitsItAndKeepsItsConstraints(@ForAll long seed, @ForAll Spread spread) {
        Random random = new Random(seed);
        SliceAllocator allocator = clutter(random);
        List<SliceRequest> gang = randomGang(random);
        long before = allocator.stateHash();
        Decision decision = allocator.whatIf().allocateGang(gang, spread);
        MovePlan plan = allocator.planGang(gang, spread, 3).orElse(null);
        assertThat(allocator.stateHash()).isEqualTo(before);
        if (decision.granted() || plan == null) {
            return;
        }
        assertThat(plan.moves()).hasSizeBetween(1, 3 * gang.size());
        assertThat(plan.rooms()).hasSize(gang.size());
        assertThat(plan.moves()).extracting(MovePlan.ClaimMove::claim).doesNotHaveDuplicates();
        assertThat(plan.cost())
                .isEqualTo(plan.moves().stream()
                        .mapToLong(move ->
                                allocator.claim(move.claim()).orElseThrow().disruptionCost())
                        .sum());
        keepsLabels(allocator, plan, gang);
        MovePlans.doStepByStep(allocator, plan);
        SliceAllocator roomy = allocator.whatIf();
        for (int i = 0; i < gang.size(); i++) {
            MovePlan.Room room = plan.rooms().get(i);
            put(roomy, gang.get(i).claim(), room.device(), gang.get(i).profile(), room.start());
        }
        assertThat(allocator.allocateGang(gang, spread).granted()).isTrue();
    }

    @Tag("slow")
    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void plansForManyGangsAdmitThem(@ForAll long seed, @ForAll Spread spread) {
        aPlanForAGangAdmitsItAndKeepsItsConstraints(seed, spread);
    }

    /** All requests of a gang ask for the same label, if any: what moves stays on devices that carry it. */
    private static void keepsLabels(SliceAllocator allocator, MovePlan plan, List<SliceRequest> gang) {
        Set<String> allowed = allocator.devices().stream()
                .filter(device -> device.labels()
                        .entrySet()
                        .containsAll(gang.get(0).labels().entrySet()))
                .map(SliceDevice::id)
                .collect(Collectors.toSet());
        for (MovePlan.ClaimMove move : plan.moves()) {
            assertThat(allowed).contains(move.fromDevice(), move.toDevice());
        }
        plan.rooms().forEach(room -> assertThat(allowed).contains(room.device()));
    }

    private static List<SliceRequest> randomGang(Random random) {
        Map<String, String> labels = random.nextInt(3) == 0 ? Map.of("rack", "r" + random.nextInt(3)) : Map.of();
        List<SliceRequest> gang = new ArrayList<>();
        int size = 2 + random.nextInt(2);
        for (int i = 0; i < size; i++) {
            gang.add(SliceRequest.builder()
                    .claim("piece-" + i)
                    .profile(PROFILES.get(random.nextInt(PROFILES.size())))
                    .labels(labels)
                    .build());
        }
        return gang;
    }

    private static SliceAllocator clutter(Random random) {
        SliceAllocator allocator = devices(6);
        allocator.cordon("gpu-" + random.nextInt(6), random.nextInt(3) == 0);
        for (int i = 0; i < 30; i++) {
            try {
                allocator.adopt(SliceClaim.builder()
                        .id("c" + i)
                        .device("gpu-" + random.nextInt(6))
                        .profile(PROFILES.get(random.nextInt(4)))
                        .start(random.nextInt(8))
                        .pinned(random.nextInt(10) == 0)
                        .disruptionCost(random.nextInt(4) == 0 ? 3 : 1)
                        .build());
            } catch (SliceException e) {
                assertThat(e.code()).isEqualTo(SliceException.Code.ILLEGAL_PLACEMENT);
            }
        }
        return allocator;
    }
}
