package dev.sro.core.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.Decision.Granted;
import dev.sro.core.slicing.Decision.Reason;
import dev.sro.core.slicing.Decision.Refused;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.policy.Policies;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SliceAllocatorTest {
    private static final DeviceModel A100 = Models.a100();

    private final SliceAllocator allocator = SliceAllocator.create();

    private static SliceAllocator two(String first, String second) {
        SliceAllocator allocator = SliceAllocator.create();
        allocator.addDevice(SliceDevice.of(first, A100, "node-1"));
        allocator.addDevice(SliceDevice.of(second, A100, "node-2"));
        return allocator;
    }

    @Test
    void takesAndGivesBack() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        long empty = gpus.stateHash();

        Decision decision = gpus.allocate(SliceRequest.of("a", "3g.20gb"));

        SliceClaim claim = ((Granted) decision).claim();
        assertThat(claim.profile()).isEqualTo("3g.20gb");
        assertThat(gpus.claim("a")).contains(claim);
        assertThat(gpus.release("a")).isEqualTo(claim);
        assertThat(gpus.claim("a")).isEmpty();
        assertThat(gpus.stateHash()).isEqualTo(empty);
    }

    @Test
    void looksOnlyWhereTheConstraintsAllow() {
        allocator.addDevice(SliceDevice.builder()
                .id("gpu-0")
                .model(A100)
                .node("n1")
                .putLabels("zone", "a")
                .topologyGroup("g1")
                .build());
        allocator.addDevice(SliceDevice.builder()
                .id("gpu-1")
                .model(A100)
                .node("n2")
                .putLabels("zone", "b")
                .topologyGroup("g2")
                .build());
        List<SliceRequest.Builder> second = List.of(
                SliceRequest.builder().node("n2"),
                SliceRequest.builder().device("gpu-1"),
                SliceRequest.builder().topologyGroup("g2"),
                SliceRequest.builder().putLabels("zone", "b"));
        for (int i = 0; i < second.size(); i++) {
            Decision decision = allocator.allocate(
                    second.get(i).claim("c" + i).profile("1g.5gb").build());
            assertThat(((Granted) decision).claim().device()).isEqualTo("gpu-1");
        }
        Refused refused = (Refused) allocator.allocate(
                SliceRequest.builder().claim("d").profile("1g.5gb").node("n3").build());
        assertThat(refused.reason()).isEqualTo(Reason.NO_SUCH_DEVICE);
        assertThat(refused.explanation()).contains("on node n3").contains("A100-40GB");
    }

    @Test
    void saysInfeasibleWithTheProofAndFragmentedWithout() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        gpus.adopt(claim("a", "gpu-0", "1g.5gb", 0));
        gpus.adopt(claim("b", "gpu-1", "1g.5gb", 0));

        Refused fragmented = (Refused) gpus.allocate(SliceRequest.of("c", "7g.40gb"));
        assertThat(fragmented.reason()).isEqualTo(Reason.FRAGMENTED);
        assertThat(fragmented.explanation()).contains("14 of 16 memory units are free");

        gpus.adopt(claim("d", "gpu-1", "4g.20gb".replace("4g", "3g"), 4));
        gpus.adopt(claim("e", "gpu-0", "3g.20gb", 4));
        Refused infeasible = (Refused) gpus.allocate(SliceRequest.of("c", "7g.40gb"));
        assertThat(infeasible.reason()).isEqualTo(Reason.INFEASIBLE);
        assertThat(infeasible.explanation()).contains("no arrangement");
    }

    @Test
    void aPlanMakesRoomForWhatWasRefused() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        gpus.adopt(claim("a", "gpu-0", "1g.5gb", 0));
        gpus.adopt(claim("b", "gpu-1", "2g.10gb", 0));
        SliceRequest whole = SliceRequest.of("c", "7g.40gb");
        MovePlan plan = ((Refused) gpus.allocate(whole)).plan().orElseThrow();
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.moves().get(0).claim()).isEqualTo("a");
        assertThat(plan.oneByOne()).isTrue();
        assertThat(plan.minimal()).isTrue();

        gpus.apply(plan);

        assertThat(gpus.claim("a").orElseThrow().device()).isEqualTo("gpu-1");
        assertThat(((Granted) gpus.allocate(whole)).claim().device())
                .isEqualTo(plan.room().orElseThrow().device());
        refuses(SliceException.Code.STALE_PLAN, () -> gpus.apply(plan));
        gpus.release("a");
        refuses(SliceException.Code.STALE_PLAN, () -> gpus.apply(plan));
    }

    @Test
    void neitherPinnedNorForeignClaimsMoveAndDearOnesOnlyIfTheyMust() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        gpus.adopt(SliceClaim.builder()
                .from(claim("a", "gpu-0", "1g.5gb", 0))
                .disruptionCost(5)
                .build());
        gpus.adopt(claim("b", "gpu-1", "2g.10gb", 0));
        SliceRequest whole = SliceRequest.of("c", "7g.40gb");
        assertThat(gpus.planAdmission(whole, 3).orElseThrow().moves().get(0).claim())
                .isEqualTo("b");
        gpus.release("b");
        gpus.adopt(SliceClaim.builder()
                .from(claim("b", "gpu-1", "2g.10gb", 0))
                .pinned(true)
                .build());
        assertThat(gpus.planAdmission(whole, 3).orElseThrow().moves().get(0).claim())
                .isEqualTo("a");
        gpus.release("a");
        gpus.adopt(SliceClaim.builder()
                .from(claim("a", "gpu-0", "1g.5gb", 0))
                .foreign(true)
                .build());
        Refused refused = (Refused) gpus.allocate(whole);
        assertThat(refused.reason()).isEqualTo(Reason.FRAGMENTED);
        assertThat(refused.plan()).isEmpty();
    }

    @Test
    void placesAGangThatThePolicyAloneWouldNot() {
        // First fit puts 1g at unit 0 of the only device that could still take the 4g there.
        SliceAllocator gpus = SliceAllocator.create(Policies.firstFit());
        gpus.addDevice(SliceDevice.of("gpu-0", A100, "n"));
        Decision decision = gpus.allocateGang(
                List.of(SliceRequest.of("a", "3g.20gb"), SliceRequest.of("b", "4g.20gb")), Spread.SAME_DEVICE);
        assertThat(decision.granted()).isTrue();
        assertThat(gpus.claim("b").orElseThrow().start()).isZero();
        assertThat(gpus.claim("a").orElseThrow().start()).isEqualTo(4);
    }

    @Test
    void takesNothingOfAGangThatDoesNotFit() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        gpus.allocate(SliceRequest.of("x", "1g.5gb"));
        long before = gpus.stateHash();

        Refused refused = (Refused) gpus.allocateGang(
                List.of(SliceRequest.of("a", "7g.40gb"), SliceRequest.of("b", "7g.40gb")), Spread.ANYWHERE);

        assertThat(refused.reason()).isEqualTo(Reason.INFEASIBLE);
        assertThat(gpus.stateHash()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(Spread.class)
    void keepsToTheSpread(Spread spread) {
        for (int i = 0; i < 6; i++) {
            allocator.addDevice(SliceDevice.builder()
                    .id("gpu-" + i)
                    .model(A100)
                    .node("n" + i / 2)
                    .topologyGroup("g" + i / 3)
                    .build());
        }
        for (int i = 0; i < 6; i++) {
            allocator.adopt(claim("busy-" + i, "gpu-" + i, "1g.5gb", i + 1));
        }
        List<SliceRequest> requests = IntStream.range(0, 3)
                .mapToObj(i -> SliceRequest.of("c" + i, "2g.10gb"))
                .toList();
        Decision decision = allocator.allocateGang(requests, spread);
        assertThat(decision.granted()).as(decision.toString()).isTrue();
        List<SliceClaim> claims = ((Granted) decision).claims();
        List<SliceDevice> devices = allocator.devices();
        long distinct = claims.stream()
                .map(claim -> switch (spread) {
                    case SAME_NODE -> devices.get(number(claim)).node();
                    case SAME_TOPOLOGY_GROUP -> devices.get(number(claim)).topologyGroup();
                    default -> claim.device();
                })
                .distinct()
                .count();
        assertThat(distinct)
                .isEqualTo(
                        switch (spread) {
                            case DIFFERENT_DEVICES -> 3;
                            case ANYWHERE -> distinct;
                            default -> 1;
                        });
    }

    private static int number(SliceClaim claim) {
        return Integer.parseInt(claim.device().substring(4));
    }

    @Test
    void reservationsLapseUnlessConfirmed() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        Instant soon = Instant.parse("2026-01-01T00:00:10Z");
        for (String id : List.of("a", "b", "c")) {
            gpus.allocate(SliceRequest.builder()
                    .claim(id)
                    .profile("1g.5gb")
                    .reservedUntil(id.equals("c") ? soon.plusSeconds(1) : soon)
                    .build());
        }
        gpus.confirm("b");
        assertThat(gpus.expire(soon.minusMillis(1))).isEmpty();
        assertThat(gpus.expire(soon)).extracting(SliceClaim::id).containsExactly("a");
        assertThat(gpus.expire(soon.plusSeconds(60))).extracting(SliceClaim::id).containsExactly("c");
        assertThat(gpus.claims()).extracting(SliceClaim::id).containsExactly("b");
    }

    @Test
    void aCordonedDeviceKeepsWhatItHasAndTakesNothing() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        gpus.allocate(SliceRequest.builder()
                .claim("a")
                .profile("1g.5gb")
                .device("gpu-0")
                .build());
        gpus.cordon("gpu-0", true);
        for (int i = 0; i < 7; i++) {
            assertThat(gpus.allocate(SliceRequest.of("b" + i, "1g.5gb")).granted())
                    .isTrue();
        }
        Decision decision = gpus.allocate(SliceRequest.of("d", "1g.5gb"));
        assertThat(((Refused) decision).reason()).isEqualTo(Reason.INFEASIBLE);
        assertThat(gpus.claims())
                .filteredOn(claim -> claim.device().equals("gpu-0"))
                .hasSize(1);
        gpus.release("a");
        gpus.cordon("gpu-0", false);
        assertThat(gpus.allocate(SliceRequest.of("d", "7g.40gb")).granted()).isTrue();
    }

    @Test
    void devicesComeAndGo() {
        for (int i = 0; i < 100; i++) {
            allocator.addDevice(SliceDevice.of("gpu-" + i, A100, "n" + i));
            assertThat(allocator.allocate(SliceRequest.of("c" + i, "7g.40gb")).granted())
                    .isTrue();
        }
        refuses(SliceException.Code.DEVICE_IN_USE, () -> allocator.removeDevice("gpu-50"));
        SliceClaim claim = allocator.claims().stream()
                .filter(each -> each.device().equals("gpu-50"))
                .findFirst()
                .orElseThrow();
        allocator.release(claim.id());
        allocator.removeDevice("gpu-50");
        assertThat(allocator.allocate(SliceRequest.of("more", "1g.5gb")).granted())
                .isFalse();
        allocator.addDevice(SliceDevice.of("gpu-50", A100, "n50"));
        assertThat(allocator.allocate(SliceRequest.of("more", "1g.5gb")).granted())
                .isTrue();
    }

    @Test
    void whatIfLeavesTheOriginalAlone() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        gpus.allocate(SliceRequest.of("a", "4g.20gb"));
        long before = gpus.stateHash();
        SliceAllocator trial = gpus.whatIf();
        assertThat(trial.stateHash()).isEqualTo(before);
        trial.release("a");
        trial.allocate(SliceRequest.of("b", "7g.40gb"));
        trial.removeDevice("gpu-" + (trial.claim("b").orElseThrow().device().equals("gpu-0") ? 1 : 0));
        assertThat(gpus.stateHash()).isEqualTo(before);
        assertThat(gpus.devices()).hasSize(2);
    }

    @Test
    void servesAProfileFromTheModelWhereItIsTheSmallestShare() {
        DeviceModel big = DeviceModel.builder()
                .key("A100-80GB")
                .memoryUnits(8)
                .addProfiles(Models.profile("1g.10gb", 1, 1, 0, 1, 2, 3, 4, 5, 6))
                .build();
        allocator.addDevice(SliceDevice.of("small", A100, "n1"));
        allocator.addDevice(SliceDevice.of("big", big, "n2"));
        Decision decision = allocator.allocate(SliceRequest.of("a", "1g.10gb"));
        assertThat(((Granted) decision).claim().device()).isEqualTo("big");
        Decision other = allocator.allocate(SliceRequest.builder()
                .claim("b")
                .profile("1g.10gb")
                .model("A100-40GB")
                .build());
        assertThat(((Granted) other).claim().device()).isEqualTo("small");
    }

    @Test
    void refusesWhatDoesNotExistAndChangesNothing() {
        SliceAllocator gpus = two("gpu-0", "gpu-1");
        gpus.allocate(SliceRequest.of("a", "4g.20gb"));
        long before = gpus.stateHash();
        String at = gpus.claim("a").orElseThrow().device();

        refuses(SliceException.Code.UNKNOWN_PROFILE, () -> gpus.allocate(SliceRequest.of("b", "5g.25gb")));
        refuses(SliceException.Code.DUPLICATE_CLAIM, () -> gpus.allocate(SliceRequest.of("a", "1g.5gb")));
        refuses(SliceException.Code.UNKNOWN_CLAIM, () -> gpus.release("b"));
        refuses(SliceException.Code.UNKNOWN_DEVICE, () -> gpus.cordon("gpu-2", true));
        refuses(SliceException.Code.UNKNOWN_DEVICE, () -> gpus.adopt(claim("b", "gpu-2", "1g.5gb", 0)));
        refuses(SliceException.Code.ILLEGAL_PLACEMENT, () -> gpus.adopt(claim("b", at, "1g.5gb", 3)));
        refuses(SliceException.Code.ILLEGAL_PLACEMENT, () -> gpus.adopt(claim("b", at, "1g.5gb", 7)));
        refuses(SliceException.Code.DUPLICATE_DEVICE, () -> gpus.addDevice(SliceDevice.of("gpu-0", A100, "n")));
        refuses(
                SliceException.Code.DUPLICATE_CLAIM,
                () -> gpus.allocateEach(List.of(SliceRequest.of("b", "1g.5gb"), SliceRequest.of("b", "1g.5gb"))));
        refuses(SliceException.Code.INVALID_REQUEST, () -> gpus.allocateGang(List.of(), Spread.ANYWHERE));
        assertThat(gpus.stateHash()).isEqualTo(before);
        assertThatThrownBy(() -> gpus.allocate(SliceRequest.of("b", "5g.25gb")))
                .hasMessageStartingWith("claim b: profile 5g.25gb is offered by none of the models [A100-40GB]; ");
    }

    private static void refuses(SliceException.Code code, Executable call) {
        assertThatThrownBy(call::execute)
                .isInstanceOfSatisfying(
                        SliceException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static SliceClaim claim(String id, String device, String profile, int start) {
        return SliceClaim.builder()
                .id(id)
                .device(device)
                .profile(profile)
                .start(start)
                .build();
    }
}
