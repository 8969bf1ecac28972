package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.emulated.EmulatedFailure;
import dev.sro.agent.emulated.EmulatedOperation;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.WantedSlice;
import dev.sro.core.dra.NodeMarks;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is published follows hardware, checkpoint and claims. */
class SlicePublisherTest extends A100PublishingTest {

    SlicePublisherTest(@TempDir Path state) throws IOException {
        super(state);
    }

    /** The budget for orders is shared by those who write some. */
    @Test
    void onlyNodesWithSlicesCount() throws Exception {
        assertThat(api.nodes()).as("this one, before it has any").isEqualTo(1);
        publisher.publish(START, false);
        for (String name : List.of("n2", "n3")) {
            create(Gvr.NODES, "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" + name + "'}}");
        }
        for (String slice : List.of("one", "two")) {
            create(
                    Gvr.RESOURCESLICES,
                    "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceSlice','metadata':{'name':'" + slice
                            + "','ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'n2','uid':'u'}]},'spec':{"
                            + "'driver':'" + DRIVER + "','nodeName':'n2','pool':{'name':'" + slice
                            + "','generation':1,'resourceSliceCount':1},'devices':[{'name':'gpu-0'}]}}");
        }
        assertThat(api.nodes()).isEqualTo(2);
    }

    @Test
    void whatIsTrueAlreadyIsNotWrittenAgain() throws Exception {
        publisher.publish(START, false);
        List<String> before = versions();
        assertThat(before).hasSize(3);
        assertThat(api.slices())
                .allSatisfy(slice ->
                        assertThat(slice.getMetadata().getOwnerReferences()).hasSize(1));

        publisher.publish(START.plusSeconds(10), true);
        restart(devices);
        publisher.publish(START.plusSeconds(20), false);

        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void aForeignSliceTakesItsPlaceUntilItGoes() throws Exception {
        publisher.publish(START, false);
        assertThat(units()).hasSize(8);

        foreign("3g.20gb", 0);
        publisher.publish(START.plusSeconds(1), true);
        assertThat(units()).containsExactly("4", "5", "6", "7");

        devices.reset();
        publisher.publish(START.plusSeconds(2), true);
        assertThat(units()).hasSize(8);
    }

    /** The scheduler takes what claims have from the counters itself. */
    @Test
    void anInstanceOfAClaimIsNoForeignSlice() throws Exception {
        publisher.publish(START, false);
        List<String> before = counters();
        keeper.prepare(new ClaimRef("u", "ns", "one"), List.of(new WantedSlice(DEVICE, FIRST, "3g.20gb", 4)));
        publisher.publish(START.plusSeconds(1), false);
        assertThat(counters()).isEqualTo(before);
    }

    private List<String> counters() throws IOException {
        return api.slices().stream()
                .flatMap(slice -> slice.getSpec().getSharedCounters().stream())
                .map(set -> set.getName() + new TreeMap<>(set.getCounters()))
                .toList();
    }

    /** Given back, but somebody holds it open: it takes its place until it can be destroyed. */
    @Test
    void whatCannotBeDestroyedTakesItsPlace() throws Exception {
        restart(devices(
                GpuMode.SLICES,
                List.of(new EmulatedFailure(
                        EmulatedOperation.DESTROY_COMPUTE_INSTANCE,
                        Optional.of(FIRST),
                        DeviceException.Kind.IN_USE,
                        0,
                        1,
                        false))));
        publisher.publish(START, false);
        List<String> before = counters();
        keeper.prepare(new ClaimRef("u", "ns", "one"), List.of(new WantedSlice(DEVICE, FIRST, "3g.20gb", 4)));
        keeper.unprepare("u");
        assertThat(keeper.quarantined()).hasSize(1);
        publisher.publish(START.plusSeconds(1), false);
        assertThat(units()).containsExactly("0", "1", "2", "3");

        keeper.reconcile(claim -> ClaimSource.Standing.GONE);
        publisher.publish(START.plusSeconds(2), false);
        assertThat(counters()).isEqualTo(before);
    }

    /** Scheduled, and nothing prepared yet: only the claim says that it is had. */
    @Test
    void anAllocatedDeviceStaysAsItIsWhateverBecomesOfItsGpu() throws Exception {
        publisher.publish(START, false);
        allocate("one", DEVICE);
        String before = device(DEVICE);
        assertThat(before).isNotEqualTo("null");

        foreign("4g.20gb", 0);
        publisher.publish(START.plusSeconds(1), true);
        assertThat(device(DEVICE)).isEqualTo(before);

        restart(devices(GpuMode.WHOLE, List.of()));
        publisher.publish(START.plusSeconds(2), false);
        assertThat(device(DEVICE)).isEqualTo(before);
        assertThat(units()).as("just what the claim has").containsExactly("4", "5", "6", "7");

        restart(devices(GpuMode.UNABLE, List.of()));
        publisher.publish(START.plusSeconds(3), false);
        assertThat(device(DEVICE)).isEqualTo(before);
    }

    @Test
    void aGpuWhoseModeChangesIsClosedAndItsDevicesStayListed() throws Exception {
        publisher.publish(START, false);
        int listed = devicesAsPublished().size();

        restart(devices(GpuMode.PENDING, List.of()));
        publisher.publish(START.plusSeconds(1), false);
        assertThat(units()).isEmpty();
        assertThat(devicesAsPublished()).hasSize(listed);

        restart(devices(GpuMode.SLICES, List.of()));
        publisher.publish(START.plusSeconds(2), false);
        assertThat(units()).hasSize(8);
    }

    @Test
    void aGpuThatCannotBeCutIsNotPublished() throws Exception {
        restart(devices(GpuMode.WHOLE, List.of()));
        publisher.publish(START, false);
        assertThat(devicesAsPublished().keySet())
                .isNotEmpty()
                .allMatch(device -> device.startsWith("gpu-0000-11-00-0-"));
    }

    /** 1.36.2 is the server here, where a taint would keep other claims from their counters. */
    @Test
    void aGpuThatDoesNotAnswerTakesNothingNew() throws Exception {
        publisher.publish(START, false);
        restart(devices(
                GpuMode.SLICES,
                List.of(new EmulatedFailure(
                        EmulatedOperation.LIST, Optional.of(FIRST), DeviceException.Kind.GPU_IS_LOST, 0, 1, false))));
        publisher.publish(START.plusSeconds(1), false);
        assertThat(units()).isEmpty();

        publisher.publish(START.plusSeconds(2), false);
        assertThat(units()).hasSize(8);
    }

    @Test
    void aCordonedGpuTakesNothingNewAndWhatClaimsHaveStays() throws Exception {
        publisher.publish(START, false);
        allocate("one", DEVICE);
        String before = device(DEVICE);
        node.annotate(Map.of(NodeMarks.cordon("0000:10:00.0"), "a fan is loud"));
        publisher.publish(START.plusSeconds(1), false);
        assertThat(units()).as("just what the claim has").containsExactly("4", "5", "6", "7");
        assertThat(device(DEVICE)).isEqualTo(before);

        restart(devices(GpuMode.SLICES, List.of()));
        publisher.publish(START.plusSeconds(2), false);
        assertThat(units()).as("a reboot does not end it").hasSize(4);

        node.annotate(Map.of(NodeMarks.cordon("0000:10:00.0"), "", NodeMarks.cordon(uuid()), "by its other name"));
        publisher.publish(START.plusSeconds(3), false);
        assertThat(units()).hasSize(4);

        node.annotate(Map.of(NodeMarks.cordon(uuid()), ""));
        publisher.publish(START.plusSeconds(4), false);
        assertThat(units()).hasSize(8);
    }

    private String uuid() {
        return devices.gpus().get(0).uuid();
    }

    /** Of an A100: four of seven units in one slice leave three of the other half, and the widest that fits takes four. */
    @Test
    void whatIsFreeIsCountedAsASchedulerReckons() throws Exception {
        publisher.publish(START, false);
        List<ResourceSlice> a100 = api.slices().stream()
                .peek(slice -> slice.getSpec()
                        .getDevices()
                        .removeIf(device -> !device.getName().startsWith("gpu-0000-10-")))
                .peek(slice -> slice.getSpec()
                        .getSharedCounters()
                        .removeIf(set -> !set.getName().startsWith("gpu-0000-10-")))
                .toList();
        FreePlaces empty = FreePlaces.of(a100, Set.of());
        assertThat(empty.places())
                .containsEntry("1g.5gb", 7)
                .containsEntry("7g.40gb", 1)
                .containsEntry("3g.20gb", 2);
        assertThat(empty.units()).isEqualTo(8);
        assertThat(empty.fragmentation()).isZero();

        FreePlaces used = FreePlaces.of(a100, Set.of("gpu-0000-10-00-0-1g-5gb-2", "gpu-0000-10-00-0-1g-5gb-4"));
        assertThat(used.places())
                .containsEntry("1g.5gb", 5)
                .containsEntry("7g.40gb", 0)
                .containsEntry("3g.20gb", 0)
                .containsEntry("2g.10gb", 1);
        assertThat(used.units()).isEqualTo(6);
        assertThat(used.fragmentation()).as("two of six can be had at once").isEqualTo(4.0 / 6);
    }
}
