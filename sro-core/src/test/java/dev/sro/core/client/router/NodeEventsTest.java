package dev.sro.core.client.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.engine.Controller;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What an event of a node asks for. */
class NodeEventsTest {

    private static final int STORM = 10_000;

    private final List<String> asked = new ArrayList<>();

    private ClusterCaches caches(Consumer<String> changed) {
        CacheSource nothing = new UnwatchedSource(() -> ClusterFacts.builder().build());
        ClusterCaches caches = new ClusterCaches(new Fabric8Codec(new KubernetesSerialization()), nothing, changed);
        caches.resourceSeen(resource("gpu", "gpu"));
        caches.resourceSeen(resource("nic", "nic"));
        return caches;
    }

    private ClusterCaches cachesWith(Node node) {
        ClusterCaches caches = caches(asked::add);
        caches.nodeSeen(node);
        asked.clear();
        return caches;
    }

    private static SpecialResource resource(String name, String device) {
        SpecialResource resource = new SpecialResource();
        resource.getMetadata().setName(name);
        resource.getMetadata().setUid("uid-" + name);
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setNodeSelector(Map.of("example.com/device", device));
        resource.setSpec(spec);
        return resource;
    }

    private static NodeBuilder node(String name, String device) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("example.com/device", device)
                .endMetadata()
                .withNewStatus()
                .withNewNodeInfo()
                .withKernelVersion("5.14.0")
                .withOsImage("Red Hat Enterprise Linux 9.4 (Plow)")
                .endNodeInfo()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withLastHeartbeatTime("2026-01-01T00:00:00Z")
                .endCondition()
                .addToAllocatable("memory", new Quantity("262144000Ki"))
                .addToAllocatable("ephemeral-storage", new Quantity("95551679124"))
                .endStatus();
    }

    @Test
    void aHeartbeatAsksForNothing() {
        ClusterCaches caches = cachesWith(node("n1", "gpu").build());

        caches.nodeSeen(node("n1", "gpu")
                .editStatus()
                .editFirstCondition()
                .withLastHeartbeatTime("2026-01-01T00:05:00Z")
                .endCondition()
                .addNewImage()
                .addToNames("registry.example/new:1")
                .endImage()
                .addToAllocatable("memory", new Quantity("262143996Ki"))
                .addToAllocatable("ephemeral-storage", new Quantity("95551679120"))
                .endStatus()
                .build());

        assertThat(asked).isEmpty();
        assertThat(caches.nodes().iterator().next().facts().allocatable()).containsEntry("memory", "262143996Ki");
    }

    @Test
    void aNodeThatDidNotChangeStaysTheSameObject() {
        ClusterCaches caches = cachesWith(node("n1", "gpu").build());
        ObservedNode before = caches.nodes().iterator().next();

        caches.nodeSeen(node("n1", "gpu").build());

        assertThat(caches.nodes().iterator().next()).isSameAs(before);
    }

    @Test
    void aDeviceThatCanBeAllocatedAsksThoseThatSelectTheNode() {
        ClusterCaches caches = cachesWith(node("n1", "gpu").build());

        caches.nodeSeen(node("n1", "gpu")
                .editStatus()
                .addToAllocatable("example.com/gpu", new Quantity("8"))
                .addToAllocatable("memory", new Quantity("262143996Ki"))
                .endStatus()
                .build());

        assertThat(asked).containsExactly("gpu");
    }

    @Test
    void aNodeThatChangesSidesAsksBoth() {
        ClusterCaches caches = cachesWith(node("n1", "gpu").build());

        caches.nodeSeen(node("n1", "nic").build());

        assertThat(asked).containsExactlyInAnyOrder("gpu", "nic");
    }

    @Test
    void aNodeThatNobodySelectsAsksNobody() {
        ClusterCaches caches = cachesWith(node("n1", "none").build());

        caches.nodeSeen(node("n1", "none")
                .withNewSpec()
                .withUnschedulable(true)
                .endSpec()
                .build());
        caches.nodeGone(node("n1", "none").build());

        assertThat(asked).isEmpty();
    }

    @Test
    void aNodeThatStillCarriesLabelsAsksWhoseTheyAre() {
        FieldsV1 fields = new FieldsV1();
        fields.setAdditionalProperty(
                "f:metadata", Map.of("f:labels", Map.of("f:" + MetadataKeys.poolLabel("nic"), Map.of())));
        NodeBuilder held = node("n1", "none")
                .editMetadata()
                .addToLabels(MetadataKeys.poolLabel("nic"), "some")
                .addNewManagedField()
                .withManager(MetadataKeys.nodeManager("nic"))
                .withOperation("Apply")
                .withFieldsV1(fields)
                .endManagedField()
                .endMetadata();
        ClusterCaches caches = cachesWith(held.build());

        caches.nodeSeen(held.editMetadata()
                .addToLabels("example.com/note", "x")
                .endMetadata()
                .build());

        assertThat(asked).containsExactly("nic");
    }

    @Test
    void aStormOfEventsIsOneReconcile() {
        ArrayDeque<Runnable> queue = new ArrayDeque<>();
        AtomicInteger reconciled = new AtomicInteger();
        try (Controller controller = new Controller(
                (name, looking) -> {
                    reconciled.incrementAndGet();
                    return Optional.empty();
                },
                queue::add,
                (delay, task) -> () -> {},
                Clock.systemUTC())) {
            ClusterCaches caches = caches(controller::request);
            queue.forEach(Runnable::run);
            queue.clear();
            reconciled.set(0);

            for (int i = 0; i < STORM; i++) {
                caches.nodeSeen(node("n" + i % 100, "gpu")
                        .editMetadata()
                        .addToLabels("example.com/note", "note-" + i)
                        .endMetadata()
                        .build());
            }

            assertThat(queue).hasSize(1);
            queue.forEach(Runnable::run);
            assertThat(reconciled).hasValue(1);
        }
    }
}
