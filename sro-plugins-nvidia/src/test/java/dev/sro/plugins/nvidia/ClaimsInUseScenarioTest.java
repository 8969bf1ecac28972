package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The driver for Dynamic Resource Allocation shall go, and pods have devices that only it can take back. */
class ClaimsInUseScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(40);

    private static final String PLUGIN = "nvidia-dra-driver-kubelet-plugin";

    private static final String CLAIMS = "{dra: {enabled: true}, dcgmExporter: {enabled: false}}";

    private final SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin());

    @BeforeEach
    void record() {
        sandbox.cluster().recording().start();
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void ready(String config) {
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(Gpus.resource(config));
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady(Gpus.NAME)))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
    }

    private NonNamespaceOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> claims() {
        return sandbox.client()
                .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup("resource.k8s.io")
                        .withVersion("v1")
                        .withKind("ResourceClaim")
                        .withPlural("resourceclaims")
                        .withNamespaced(true)
                        .build())
                .inNamespace("default");
    }

    /** A claim that the driver allocated, and that the pod {@code <name>-0} has. */
    private void claim(String name, String driver) {
        GenericKubernetesResource claim = sandbox.client()
                .getKubernetesSerialization()
                .unmarshal("""
                    apiVersion: resource.k8s.io/v1
                    kind: ResourceClaim
                    metadata: {name: %s, namespace: default}
                    spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu.nvidia.com}}]}}
                    """.formatted(name), GenericKubernetesResource.class);
        claims().resource(claim).create();
        Pod pod = sandbox.client().getKubernetesSerialization().unmarshal("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: %s-0, namespace: default}
                    spec: {schedulerName: nobody, containers: [{name: c, image: "i:1"}]}
                    """.formatted(name), Pod.class);
        String uid = sandbox.client().resource(pod).create().getMetadata().getUid();
        Map<String, Object> result = Map.of("request", "r", "driver", driver, "pool", "p", "device", "d");
        claims().withName(name).editStatus(live -> {
            live.setAdditionalProperty(
                    "status",
                    Map.of(
                            "allocation", Map.of("devices", Map.of("results", List.of(result))),
                            "reservedFor", List.of(Map.of("resource", "pods", "name", name + "-0", "uid", uid))));
            return live;
        });
    }

    private void delete() {
        sandbox.client().resources(SpecialResource.class).withName(Gpus.NAME).delete();
    }

    private boolean isThere(String daemonSet) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.DAEMONSETS).spliterator(), false)
                .anyMatch(set -> set.at("/metadata/name").asText().startsWith(daemonSet));
    }

    private boolean runs(String app) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .anyMatch(pod -> pod.at("/metadata/labels/app").asText().equals(app));
    }

    private long deviceClasses() {
        return sandbox.client()
                .genericKubernetesResources("resource.k8s.io/v1", "DeviceClass")
                .list()
                .getItems()
                .size();
    }

    private long claimLists() {
        return sandbox.cluster()
                .recording()
                .entries(entry -> entry.userAgent().equals("sro")
                        && entry.resource().equals("resourceclaims.resource.k8s.io")
                        && entry.verb().equals("list"))
                .size();
    }

    private int requests() {
        return sandbox.cluster()
                .recording()
                .entries(entry ->
                        entry.userAgent().equals("sro") && !entry.resource().equals("leases.coordination.k8s.io"))
                .size();
    }

    @Test
    void aDeletionWaitsForThoseWhoHaveDevices() {
        sandbox.nodes().create("one", Gpus.NODE);
        ready(CLAIMS);
        claim("train", "gpu.nvidia.com");
        claim("net", "nic.example.com");
        assertThat(claimLists()).as("nobody asks before the driver goes").isZero();

        delete();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(claimLists()).as("one list for the whole of it").isEqualTo(1);
        int before = requests();
        assertThat(before).isPositive();
        sandbox.run(LONG);
        assertThat(requests() - before).as("who waits asks for nothing").isZero();
        assertThat(runs(PLUGIN)).isTrue();
        assertThat(isThere("nvidia-driver-daemonset"))
                .as("what the driver needs")
                .isTrue();
        assertThat(deviceClasses()).as("nobody gets more devices").isZero();
        assertThat(sandbox.state(Gpus.NAME))
                .contains(
                        "1 claim has devices of gpu.nvidia.com, the first since 20",
                        "default/train (pod train-0)",
                        "annotate this with sro.dev/abandon-claims=gpu.nvidia.com")
                .doesNotContain("net");

        claims().withName("train").delete();
        assertThat(sandbox.runUntil(LONG, () -> sandbox.get(Gpus.NAME).isEmpty()))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(isThere("nvidia-")).isFalse();
    }

    @Test
    void anAdministratorCanAbandonThem() {
        sandbox.nodes().create("one", Gpus.NODE);
        ready(CLAIMS);
        claim("train", "gpu.nvidia.com");
        delete();
        sandbox.run(Duration.ofMinutes(10));
        assertThat(isThere(PLUGIN)).isTrue();

        sandbox.client().resources(SpecialResource.class).withName(Gpus.NAME).edit(live -> {
            live.getMetadata().setAnnotations(Map.of("sro.dev/abandon-claims", "a.example, gpu.nvidia.com"));
            return live;
        });
        assertThat(sandbox.runUntil(LONG, () -> sandbox.get(Gpus.NAME).isEmpty()))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(claims().withName("train").get()).isNotNull();
    }

    @Test
    void withoutClaimsNothingIsWaitedFor() {
        sandbox.nodes().create("one", Gpus.NODE);
        ready(CLAIMS);
        delete();

        assertThat(sandbox.runUntil(LONG, () -> sandbox.get(Gpus.NAME).isEmpty()))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
    }

    @Test
    void nobodyAsksForClaimsWhereThereIsADevicePlugin() {
        sandbox.nodes().create("one", Gpus.NODE);
        ready("{}");
        claim("train", "gpu.nvidia.com");
        delete();

        assertThat(sandbox.runUntil(LONG, () -> sandbox.get(Gpus.NAME).isEmpty()))
                .isTrue();
        assertThat(claimLists()).isZero();
    }

    @Test
    void whatComesInsteadOfTheDriverDoesNotTakeItAwayFromThoseWhoHaveDevices() {
        sandbox.nodes().create("one", Gpus.NODE);
        ready(CLAIMS);
        claim("train", "gpu.nvidia.com");

        sandbox.apply(Gpus.resource("{dcgmExporter: {enabled: false}}"));
        sandbox.run(LONG);
        assertThat(runs(PLUGIN)).as("with the label of its node").isTrue();
        assertThat(runs("nvidia-dra-validator")).isFalse();
        assertThat(deviceClasses()).isZero();
        assertThat(sandbox.isReady(Gpus.NAME)).isFalse();
        assertThat(sandbox.state(Gpus.NAME)).contains("4000-dra-driver: 1 claim has devices", "default/train");

        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(runs(PLUGIN)).as("after a restart").isTrue();

        claims().withName("train").delete();
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady(Gpus.NAME)))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(sandbox.runUntil(LONG, () -> !isThere(PLUGIN))).isTrue();
        assertThat(sandbox.client().nodes().withName("one").get().getMetadata().getLabels())
                .doesNotContainKey(Labels.DEPLOY + "dra-driver")
                .containsEntry(Labels.DEPLOY + "device-plugin", "true");
    }
}
