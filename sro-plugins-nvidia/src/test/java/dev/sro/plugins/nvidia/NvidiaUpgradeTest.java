package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New drivers come node by node, with the labels of NVIDIA's operator. */
class NvidiaUpgradeTest {

    private static final Duration LONG = Duration.ofHours(3);
    private static final String STATE = "nvidia.com/gpu-driver-upgrade-state";
    private static final String POLICY =
            "  upgradePolicy: {autoUpgrade: true, podDeletion: {force: true}, stateLabel: " + STATE + "}\n";

    private final SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin());

    @BeforeEach
    void ready() {
        sandbox.nodes().create("one", Gpus.NODE);
        sandbox.nodes().create("two", Gpus.NODE);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(Gpus.resource("{}") + POLICY);
        until(() -> sandbox.isReady(Gpus.NAME) && states().equals(Set.of("upgrade-done")));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void until(BooleanSupplier condition) {
        assertThat(sandbox.runUntil(LONG, condition))
                .as(() -> sandbox.state(Gpus.NAME) + states() + drivers())
                .isTrue();
    }

    private Set<String> states() {
        return sandbox.client().nodes().list().getItems().stream()
                .map(node -> node.getMetadata().getLabels().getOrDefault(STATE, ""))
                .collect(Collectors.toSet());
    }

    /** Images of the driver by node. */
    private Map<String, String> drivers() {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .filter(pod -> pod.at("/metadata/name").asText().startsWith("nvidia-driver-daemonset"))
                .collect(Collectors.toMap(
                        pod -> pod.at("/spec/nodeName").asText(),
                        pod -> pod.at("/spec/containers/0/image").asText(),
                        (a, b) -> a));
    }

    private void trainer(String node) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("trainer")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("main")
                .withImage("registry.example/trainer:1")
                .withNewResources()
                .withLimits(Map.of("nvidia.com/gpu", new Quantity("1")))
                .withRequests(Map.of("nvidia.com/gpu", new Quantity("1")))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        sandbox.client().resource(pod).create();
    }

    /** A pod with a slice that the agent on the node made for its claim. */
    private void sliced(String node) {
        KubernetesSerialization serialization = sandbox.client().getKubernetesSerialization();
        ResourceClaim claim = serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: slice, namespace: default}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: 1g-5gb.slices.sro.dev}}]}}
                """, ResourceClaim.class);
        sandbox.client().resource(claim).create();
        Pod pod = serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: sliced, namespace: default}
                spec:
                  nodeName: %s
                  containers: [{name: main, image: "registry.example/trainer:1"}]
                  resourceClaims: [{name: s, resourceClaimName: slice}]
                """.formatted(node), Pod.class);
        String uid = sandbox.client().resource(pod).create().getMetadata().getUid();
        ResourceClaim allocated = serialization.unmarshal("""
                status:
                  allocation: {devices: {results: [{request: r, driver: slices.sro.dev, pool: one-slices.sro.dev, device: d}]}}
                  reservedFor: [{resource: pods, name: sliced, uid: %s}]
                """.formatted(uid), ResourceClaim.class);
        sandbox.client()
                .resources(ResourceClaim.class)
                .inNamespace("default")
                .withName("slice")
                .editStatus(live -> {
                    live.setStatus(allocated.getStatus());
                    return live;
                });
    }

    private boolean isThere(String pod) {
        return sandbox.client().pods().inNamespace("default").withName(pod).get() != null;
    }

    @Test
    void anotherVersionComesNodeByNodeAndUsersOfGpusGo() {
        trainer("one");
        sandbox.apply(Gpus.resource("{driver: {version: 570.133.20}}") + POLICY);
        Set<String> seen = new HashSet<>();
        long[] cordoned = new long[1];
        until(() -> {
            seen.addAll(states());
            cordoned[0] = Math.max(
                    cordoned[0],
                    sandbox.client().nodes().list().getItems().stream()
                            .filter(node -> Boolean.TRUE.equals(node.getSpec().getUnschedulable()))
                            .count());
            return sandbox.isReady(Gpus.NAME)
                    && states().equals(Set.of("upgrade-done"))
                    && drivers().values().stream().allMatch(image -> image.contains(":570.133.20-"));
        });

        assertThat(cordoned[0]).as("nodes at once").isEqualTo(1);
        assertThat(seen).contains("upgrade-required", "pod-restart-required");
        assertThat(isThere("trainer")).isFalse();
    }

    /** The driver is not replaced under those who have slices of its GPUs. */
    @Test
    void podsWithSlicesOfTheAgentGoBeforeTheDriverDoes() {
        sliced("one");
        sandbox.run(Duration.ofMinutes(1));
        sandbox.apply(Gpus.resource("{driver: {version: 570.133.20}}") + POLICY);
        boolean[] under = new boolean[1];
        until(() -> {
            under[0] |= isThere("sliced") && drivers().getOrDefault("one", "").contains(":570.133.20-");
            return sandbox.isReady(Gpus.NAME)
                    && states().equals(Set.of("upgrade-done"))
                    && drivers().values().stream().allMatch(image -> image.contains(":570.133.20-"));
        });

        assertThat(under[0]).as("the new driver came while the slice was had").isFalse();
        assertThat(isThere("sliced")).isFalse();
    }

    @Test
    void aMirrorOfTheSameDriverDrainsNobody() {
        trainer("one");
        sandbox.apply(Gpus.resource("{driver: {repository: mirror.example/nvidia}}") + POLICY);
        until(() -> sandbox.isReady(Gpus.NAME)
                && states().equals(Set.of("upgrade-done"))
                && drivers().values().stream().allMatch(image -> image.startsWith("mirror.example/")));

        assertThat(drivers()).containsOnlyKeys("one", "two");
        assertThat(isThere("trainer")).isTrue();
    }
}
