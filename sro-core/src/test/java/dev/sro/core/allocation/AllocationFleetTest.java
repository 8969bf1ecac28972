package dev.sro.core.allocation;

import static dev.sro.core.allocation.PublishedNodes.A100;
import static dev.sro.core.allocation.PublishedNodes.ENDLESS;
import static dev.sro.core.allocation.PublishedNodes.OPTIONS;
import static dev.sro.core.allocation.PublishedNodes.PUBLISHER;
import static dev.sro.core.allocation.PublishedNodes.fleet;
import static dev.sro.core.allocation.PublishedNodes.gpu;
import static dev.sro.core.allocation.PublishedNodes.pod;
import static dev.sro.core.allocation.PublishedNodes.slices;
import static dev.sro.core.allocation.PublishedNodes.wants;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.ClaimDemand.Ask;
import dev.sro.core.allocation.ClaimDemand.Choice;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.SliceProfile;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTolerationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where claims go, held against the allocator of the slicing library, which finds a joint placement wherever there is one. */
class AllocationFleetTest {
    private static ResourceClaim allocated(ClaimDemand demand, List<PlacedDevice> devices) {
        AllocationResult allocation = Allocations.allocation(demand, OPTIONS.driver(), devices);
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withUid(demand.uid())
                .withNamespace("ns")
                .withName(demand.uid())
                .endMetadata()
                .withStatus(new ResourceClaimStatusBuilder()
                        .withAllocation(allocation)
                        .build())
                .build();
    }

    /** Takes a place in both. */
    private static boolean hold(
            AllocationFleet fleet, SliceAllocator oracle, int gpu, String profile, int start, String id) {
        try {
            oracle.adopt(SliceClaim.builder()
                    .id(id)
                    .device("g" + gpu)
                    .profile(profile)
                    .start(start)
                    .build());
        } catch (RuntimeException e) {
            return false;
        }
        String device = PUBLISHER.deviceName(gpu(gpu), profile, start).orElseThrow();
        fleet.reserve(List.of(new PlacedDevice(id, "r", "n", "", PUBLISHER.pool("n"), device, List.of())));
        return true;
    }

    @Test
    void findsDevicesOfANodeWhereverThereAreSome() {
        AllocationFleet fleet = fleet("n", gpu(0), gpu(1), gpu(2));
        SliceAllocator empty = SliceAllocator.create();
        for (int i = 0; i < 3; i++) {
            empty.addDevice(SliceDevice.of("g" + i, A100, "n"));
        }
        for (long seed = 1; seed <= 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List.of("c0", "c1", "c2").forEach(fleet::gone);
            SliceAllocator oracle = empty.whatIf();
            int held = random.nextInt(14);
            for (int i = 13; i > 0; i--) {
                fleet.gone("h" + i);
            }
            for (int i = held; i > 0; i--) {
                SliceProfile profile =
                        A100.profiles().get(random.nextInt(A100.profiles().size()));
                int start = profile.starts().get(random.nextInt(profile.starts().size()));
                hold(fleet, oracle, random.nextInt(3), profile.name(), start, "h" + i);
            }
            Spread spread = List.of(Spread.ANYWHERE, Spread.SAME_DEVICE, Spread.DIFFERENT_DEVICES)
                    .get(random.nextInt(3));
            ClaimDemand[] claims = new ClaimDemand[1 + random.nextInt(3)];
            List<SliceRequest> requests = new ArrayList<>();
            for (int i = 0; i < claims.length; i++) {
                String profile = A100.profiles()
                        .get(random.nextInt(A100.profiles().size()))
                        .name();
                int count = 1 + random.nextInt(2);
                claims[i] = wants("c" + i, profile, count);
                for (int j = 0; j < count; j++) {
                    requests.add(SliceRequest.of("c" + i + "-" + j, profile));
                }
            }

            AllocationSearch.Answer answer = fleet.place(List.of(pod("p", spread, List.of("n"), claims)), ENDLESS);

            assertThat(answer.granted())
                    .as("seed %d: %s %s", seed, requests, spread)
                    .isEqualTo(oracle.fits(requests, spread));
            if (answer.granted()) {
                List<PlacedDevice> devices = answer.devicesOf("p");
                assertThat(devices).hasSameSizeAs(requests);
                fleet.reserve(devices);
                assertThat(fleet.conflicts()).as("seed %d", seed).isEmpty();
            }
        }
    }

    @Test
    void gpusWithAFreeDeviceThatLacksTheTaintDoNotCount() {
        AllocationFleet fleet = new AllocationFleet(OPTIONS.driver(), Catalogue.builtin());
        List<ResourceSlice> slices = slices("n", gpu(0));
        slices.forEach(slice -> slice.getSpec().getDevices().stream()
                .filter(device -> device.getName().endsWith("-1g-5gb-0"))
                .forEach(device -> device.setTaints(List.of())));
        fleet.pool(PUBLISHER.pool("n"), slices);
        PodDemand pod = pod("p", Spread.ANYWHERE, List.of("n"), wants("c", "1g.5gb", 1));
        assertThat(fleet.place(List.of(pod), ENDLESS).granted()).isFalse();

        // What a claim has goes on bearing none until it is given back.
        fleet.reserve(List.of(
                new PlacedDevice("old", "r", "n", "", PUBLISHER.pool("n"), "gpu-0000-00-00-0-1g-5gb-0", List.of())));
        assertThat(fleet.place(List.of(pod), ENDLESS).granted()).isTrue();
    }

    @Test
    void poolsThatAreNotCompleteDoNotCount() {
        AllocationFleet fleet = new AllocationFleet(OPTIONS.driver(), Catalogue.builtin());
        List<ResourceSlice> slices = slices("n", gpu(0), gpu(1));
        assertThat(fleet.pool(PUBLISHER.pool("n"), slices.subList(0, 2))).contains("2 of 3 ResourceSlices");
        assertThat(fleet.nodes()).isEmpty();
        fleet.pool(PUBLISHER.pool("n"), slices);
        assertThat(fleet.nodes()).containsExactly("n");
        fleet.pool(PUBLISHER.pool("n"), List.of());
        assertThat(fleet.nodes()).isEmpty();
    }

    @Test
    void gpusThatAreIllAreGivenToWhoToleratesIt() {
        AllocationFleet fleet = fleet("n", gpu(0, "xid-79"));
        ClaimDemand plain = wants("c", "1g.5gb", 1);
        assertThat(fleet.place(List.of(pod("p", Spread.ANYWHERE, List.of("n"), plain)), ENDLESS)
                        .refusal())
                .startsWith("no room for 1g-5gb.slices.sro.dev on 1 nodes (not tolerated: the taint"
                        + " slices.sro.dev/xid-79:NoSchedule of device gpu-0000-00-00-0-1g-5gb-")
                .endsWith(" of GPU n/0000:00:00.0)");
        Choice choice = plain.asks().get(0).choices().get(0);
        ClaimDemand tolerant = new ClaimDemand(
                "c",
                "ns/c",
                List.of(new Ask(
                        "r",
                        List.of(new Choice(
                                "r",
                                choice.deviceClass(),
                                choice.selectors(),
                                1,
                                List.of(new DeviceTolerationBuilder()
                                        .withKey("slices.sro.dev/xid-79")
                                        .withOperator("Exists")
                                        .build()))))),
                List.of(),
                List.of());
        assertThat(fleet.place(List.of(pod("p", Spread.ANYWHERE, List.of("n"), tolerant)), ENDLESS)
                        .granted())
                .isTrue();
    }

    /** As the API has it: what is no known effect is read as None. */
    @ParameterizedTest
    @CsvSource({"NoSchedule, false", "NoExecute, false", "None, true", "PreferSomething, true"})
    void taintsKeepClaimsAwayByTheirEffects(String effect, boolean granted) {
        AllocationFleet fleet = new AllocationFleet(OPTIONS.driver(), Catalogue.builtin());
        List<ResourceSlice> slices = slices("n", gpu(0, "xid-79"));
        slices.forEach(slice -> slice.getSpec()
                .getDevices()
                .forEach(device -> device.getTaints().stream()
                        .filter(taint -> taint.getKey().endsWith("/xid-79"))
                        .forEach(taint -> taint.setEffect(effect))));
        fleet.pool(PUBLISHER.pool("n"), slices);
        assertThat(fleet.place(List.of(pod("p", Spread.ANYWHERE, List.of("n"), wants("c", "1g.5gb", 1))), ENDLESS)
                        .granted())
                .isEqualTo(granted);
    }

    @Test
    void twoClaimsOfOnePlaceAreNoticed() {
        AllocationFleet fleet = fleet("n", gpu(0));
        ClaimDemand one = wants("one", "3g.20gb", 1);
        ClaimDemand other = wants("other", "7g.40gb", 1);
        PlacedDevice first = fleet.place(List.of(pod("p", Spread.ANYWHERE, List.of("n"), one)), ENDLESS)
                .devicesOf("p")
                .get(0);
        PlacedDevice second = fleet.place(List.of(pod("q", Spread.ANYWHERE, List.of("n"), other)), ENDLESS)
                .devicesOf("q")
                .get(0);
        fleet.claim(allocated(one, List.of(first)));
        assertThat(fleet.conflicts()).isEmpty();
        fleet.claim(allocated(other, List.of(second)));
        assertThat(fleet.conflicts()).containsExactly(Set.of("one", "other"));
        assertThat(fleet.node("one")).contains("n");
        fleet.gone("one");
        assertThat(fleet.conflicts()).isEmpty();
        assertThat(fleet.node("one")).isEmpty();
    }

    /** Pods of a gang on one node, held against the library, which finds a joint placement wherever there is one. */
    @Test
    void aGangFindsDevicesOfANodeWhereverThereAreSome() {
        AllocationFleet fleet = fleet("n", gpu(0), gpu(1));
        SliceAllocator empty = SliceAllocator.create();
        empty.addDevice(SliceDevice.of("g0", A100, "n"));
        empty.addDevice(SliceDevice.of("g1", A100, "n"));
        int granted = 0;
        for (long seed = 1; seed <= 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            fleet.gone("h");
            SliceAllocator oracle = empty.whatIf();
            if (random.nextBoolean()) {
                hold(fleet, oracle, random.nextInt(2), "1g.5gb", random.nextInt(7), "h");
            }
            List<PodDemand> gang = new ArrayList<>();
            List<SliceRequest> requests = new ArrayList<>();
            int pods = 2 + random.nextInt(2);
            for (int i = 0; i < pods; i++) {
                String profile = A100.profiles()
                        .get(random.nextInt(A100.profiles().size()))
                        .name();
                int count = 1 + random.nextInt(2);
                gang.add(pod("p" + i, Spread.ANYWHERE, List.of("n"), wants("c" + i, profile, count)));
                for (int j = 0; j < count; j++) {
                    requests.add(SliceRequest.of("c" + i + "-" + j, profile));
                }
            }

            AllocationSearch.Answer answer = fleet.place(gang, ENDLESS);

            assertThat(answer.granted())
                    .as("seed %d: %s", seed, requests)
                    .isEqualTo(oracle.fits(requests, Spread.ANYWHERE));
            granted += answer.granted() ? 1 : 0;
        }
        assertThat(granted).isBetween(60, 240);
    }

    @Test
    void aGangFindsItsNodesThoughTheFirstChoiceIsWrong() {
        AllocationFleet fleet = new AllocationFleet(OPTIONS.driver(), Catalogue.builtin());
        for (String node : List.of("a", "b", "c")) {
            fleet.pool(PUBLISHER.pool(node), slices(node, gpu(0)));
        }
        List<String> all = List.of("a", "b", "c");
        List<PodDemand> gang = List.of(
                pod("x", Spread.ANYWHERE, all, wants("cx", "7g.40gb", 1)),
                pod("y", Spread.ANYWHERE, List.of("a", "b"), wants("cy", "7g.40gb", 1)),
                pod("z", Spread.ANYWHERE, List.of("a"), wants("cz", "7g.40gb", 1)));

        AllocationSearch.Answer answer = fleet.place(gang, ENDLESS);

        assertThat(answer.nodes())
                .containsEntry("x", "c")
                .containsEntry("y", "b")
                .containsEntry("z", "a");
        List<PodDemand> more = new ArrayList<>(gang);
        more.add(pod("w", Spread.ANYWHERE, all, wants("cw", "1g.5gb", 1)));
        assertThat(fleet.place(more, ENDLESS).granted()).isFalse();
    }
}
