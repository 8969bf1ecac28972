package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes go over from the device plugin to slices of SRO's agent and back, one by one, and never have both. */
class ExposureScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(40);

    private static final Duration STEP = Duration.ofSeconds(2);

    private static final String PLUGIN = "nvidia-device-plugin-daemonset";

    private static final String AGENT = "nvidia-slices-agent";

    private static final String MIG_MANAGER = "nvidia-mig-manager";

    static final String SLICES =
            "slices: {enabled: true, repository: registry.example/sro, image: sro-agent, version:" + " 0.1.0}";

    private final SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void ready(String settings) {
        sandbox.nodes().create("one", Gpus.NODE);
        sandbox.nodes().create("two", Gpus.NODE);
        for (String name : List.of("one", "two")) {
            label(name, Labels.MIG_CAPABLE, "true");
            label(name, Labels.MIG_STATE, "success");
        }
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(Gpus.resource(settings));
        reach(() -> sandbox.isReady(Gpus.NAME));
    }

    private void reach(BooleanSupplier goal) {
        assertThat(sandbox.runUntil(LONG, () -> {
                    assertNeverBoth();
                    return goal.getAsBoolean();
                }))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
    }

    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(STEP)) {
            sandbox.run(STEP);
            assertNeverBoth();
        }
    }

    private void assertNeverBoth() {
        for (String node : List.of("one", "two")) {
            assertThat(apps(node))
                    .as("on node " + node)
                    .matches(apps -> !apps.contains(AGENT) || !(apps.contains(PLUGIN) || apps.contains(MIG_MANAGER)));
        }
    }

    private Set<String> apps(String node) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .filter(pod -> pod.at("/spec/nodeName").asText().equals(node))
                .map(pod -> pod.at("/metadata/labels/app").asText())
                .collect(Collectors.toSet());
    }

    private void label(String node, String key, String value) {
        sandbox.client().nodes().withName(node).edit(live -> {
            live.getMetadata().getLabels().put(key, value);
            return live;
        });
    }

    private Map<String, String> labels(String node) {
        return sandbox.client().nodes().withName(node).get().getMetadata().getLabels();
    }

    private String create(String yaml) {
        Pod pod = sandbox.client().getKubernetesSerialization().unmarshal(yaml, Pod.class);
        return sandbox.client().resource(pod).create().getMetadata().getUid();
    }

    private void end(String pod) {
        sandbox.client().pods().inNamespace("default").withName(pod).delete();
    }

    /** A pod that asks as pods do for a device plugin. */
    private void byLimits(String name, String node) {
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              nodeName: %s
              containers: [{name: c, image: "i:1", resources: {limits: {nvidia.com/gpu: 1}}}]
            """.formatted(name, node));
    }

    /** A pod with a slice, as the agent's driver gives it to a claim. */
    private void byClaim(String name, String node) {
        String uid = create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              nodeName: %s
              resourceClaims: [{name: slice, resourceClaimName: %s}]
              containers: [{name: c, image: "i:1", resources: {claims: [{name: slice}]}}]
            """.formatted(name, node, name));
        GenericKubernetesResource claim = sandbox.client()
                .getKubernetesSerialization()
                .unmarshal("""
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: %s, namespace: default}
            spec: {devices: {requests: [{name: r, exactly: {deviceClassName: 1g-5gb.slices.sro.dev}}]}}
            """.formatted(name), GenericKubernetesResource.class);
        sandbox.client().resource(claim).create();
        Map<String, Object> result = Map.of("request", "r", "driver", Labels.SLICES_DRIVER, "pool", "p", "device", "d");
        sandbox.client()
                .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
                .inNamespace("default")
                .withName(name)
                .editStatus(live -> {
                    live.setAdditionalProperty(
                            "status",
                            Map.of(
                                    "allocation", Map.of("devices", Map.of("results", List.of(result))),
                                    "reservedFor", List.of(Map.of("resource", "pods", "name", name, "uid", uid))));
                    return live;
                });
    }

    /** What the special resource tells people. */
    private String told() {
        return sandbox
                .get(Gpus.NAME)
                .map(SpecialResource::getStatus)
                .map(SpecialResourceStatus::getConditions)
                .orElse(List.of())
                .stream()
                .map(Condition::getMessage)
                .collect(Collectors.joining("\n"));
    }

    private boolean isAgentReady(String node) {
        return apps(node).contains(AGENT) && sandbox.isReady(Gpus.NAME);
    }

    @Test
    void aNodeGoesOverWhenNobodyHasAGpuByTheDevicePluginAnyMore() {
        ready("{" + SLICES + "}");
        assertThat(apps("one")).contains(PLUGIN, MIG_MANAGER).doesNotContain(AGENT);
        byLimits("train", "one");
        byLimits("other", "two");

        label("one", Labels.EXPOSURE, "slices");
        pass(Duration.ofMinutes(5));
        assertThat(apps("one")).as("others go on there").contains(PLUGIN).doesNotContain(AGENT);
        assertThat(labels("one")).containsEntry(Labels.EXPOSURE_STATE, "device-plugin");
        assertThat(told())
                .contains(
                        "node one stays as it is until 1 pod ends that has devices by the device plugin: default/train")
                .doesNotContain("node two");
        assertThat(sandbox.isReady(Gpus.NAME)).as("it works as it did").isTrue();

        end("train");
        reach(() -> isAgentReady("one"));
        assertThat(apps("one")).doesNotContain(PLUGIN, MIG_MANAGER);
        assertThat(labels("one"))
                .containsEntry(Labels.EXPOSURE_STATE, "slices")
                .containsEntry(Labels.SLICES_MODE, "slices")
                .containsEntry(Labels.DEPLOY + "slices-agent", "true")
                .doesNotContainKeys(Labels.DEPLOY + "device-plugin", Labels.DEPLOY + "mig-manager", Labels.MIG_CONFIG);
        assertThat(apps("two")).contains(PLUGIN, MIG_MANAGER).doesNotContain(AGENT);
        assertThat(told()).doesNotContain("stays as it is");
    }

    @Test
    void aNodeGoesBackWhenNobodyHasASliceAnyMore() {
        ready("{" + SLICES.replace("enabled: true", "enabled: true, defaultExposure: slices") + "}");
        assertThat(apps("one")).as("a new node has nothing to wait for").contains(AGENT);
        byClaim("notebook", "one");

        label("one", Labels.EXPOSURE, "device-plugin");
        pass(Duration.ofMinutes(5));
        assertThat(apps("one")).contains(AGENT).doesNotContain(PLUGIN, MIG_MANAGER);
        assertThat(told())
                .contains("node one stays as it is until 1 pod ends that has devices by claims of slices.sro.dev:"
                        + " default/notebook");

        sandbox.kill();
        sandbox.start();
        pass(Duration.ofMinutes(5));
        assertThat(apps("one")).as("after a restart").contains(AGENT).doesNotContain(PLUGIN);

        end("notebook");
        reach(() -> apps("one").contains(PLUGIN) && sandbox.isReady(Gpus.NAME));
        assertThat(labels("one"))
                .containsEntry(Labels.EXPOSURE_STATE, "device-plugin")
                .containsEntry(Labels.DEPLOY + "mig-manager", "true")
                .doesNotContainKeys(Labels.DEPLOY + "slices-agent", Labels.SLICES_MODE);
        assertThat(apps("two")).contains(AGENT);
    }

    /** Somebody comes while the device plugin leaves: there is no agent yet, and the device plugin comes back for the pod. */
    @Test
    void whoComesInBetweenIsWaitedForToo() {
        ready("{" + SLICES + "}");
        label("one", Labels.EXPOSURE, "slices");
        reach(() -> !labels("one").containsKey(Labels.DEPLOY + "device-plugin"));
        byLimits("late", "one");
        pass(Duration.ofMinutes(5));
        boolean over = apps("one").contains(AGENT);
        assertThat(over || apps("one").contains(PLUGIN)).isTrue();
        end("late");
        reach(() -> isAgentReady("one"));
    }

    /** Not even a moment of both when nodes that have slices are told of no slices any more. */
    @Test
    void withoutSlicesInTheSettingsAllNodesGoBack() {
        ready("{" + SLICES.replace("enabled: true", "enabled: true, defaultExposure: slices") + "}");
        byClaim("notebook", "two");

        sandbox.apply(Gpus.resource("{}"));
        pass(Duration.ofMinutes(5));
        assertThat(apps("two")).as("only the agent can take the slice back").contains(AGENT);

        end("notebook");
        sandbox.client()
                .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
                .inNamespace("default")
                .withName("notebook")
                .delete();
        reach(() -> apps("one").contains(PLUGIN) && apps("two").contains(PLUGIN) && sandbox.isReady(Gpus.NAME));
        assertThat(labels("two")).doesNotContainKeys(Labels.EXPOSURE_STATE, Labels.SLICES_MODE);
    }

    @Test
    void theClassesAreThereForLimits() {
        ready("{" + SLICES + "}");
        JsonNode found = StreamSupport.stream(
                        sandbox.cluster()
                                .api()
                                .list(new Gvr("resource.k8s.io", "v1", "deviceclasses"))
                                .spliterator(),
                        false)
                .filter(one -> one.at("/metadata/name").asText().equals("1g-5gb.slices.sro.dev"))
                .findFirst()
                .orElseThrow();
        assertThat(Objects.requireNonNull(found)
                        .at("/spec/extendedResourceName")
                        .asText())
                .isEqualTo("nvidia.com/mig-1g.5gb");
    }
}
