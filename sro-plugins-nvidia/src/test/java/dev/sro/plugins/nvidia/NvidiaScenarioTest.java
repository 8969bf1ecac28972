package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From bare nodes to GPUs that pods can have, and back. */
class NvidiaScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(40);

    private final SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void apply(String config) {
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(Gpus.resource(config));
    }

    private void ready() {
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady(Gpus.NAME)))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
    }

    private Map<String, String> labels(String node) {
        Node found = sandbox.client().nodes().withName(node).get();
        return found == null ? Map.of() : found.getMetadata().getLabels();
    }

    private boolean reached(String node, String number) {
        return "Ready".equals(labels(node).get("specialresource.openshift.io/state-gpu-" + number));
    }

    private Condition condition(String type) {
        return sandbox.get(Gpus.NAME)
                .map(SpecialResource::getStatus)
                .flatMap(status -> status.getConditions().stream()
                        .filter(one -> one.getType().equals(type))
                        .findFirst())
                .orElseThrow();
    }

    /** Names of the DaemonSets with pods on a node. */
    private SortedSet<String> operands(String node) {
        SortedSet<String> names = new TreeSet<>();
        StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .filter(pod -> pod.at("/spec/nodeName").asText().equals(node))
                .forEach(pod -> names.add(pod.at("/metadata/ownerReferences/0/name")
                        .asText()
                        .replaceFirst("daemonset-[0-9a-f]{10,}$", "daemonset")));
        return names;
    }

    private List<String> driverImages() {
        return sandbox.client().apps().daemonSets().inNamespace("nvidia-gpu-operator").list().getItems().stream()
                .filter(set -> set.getMetadata().getName().startsWith("nvidia-driver-daemonset"))
                .map(set -> set.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage())
                .sorted()
                .toList();
    }

    @Test
    void bareNodesOfTwoSystemsGetTheWholeStackAndTheValidationGivesItsGpuBack() {
        sandbox.nodes().create("ubuntu-1", Gpus.NODE);
        sandbox.nodes().create("ubuntu-2", Gpus.NODE);
        sandbox.nodes().create("rhel", Gpus.NODE.withOs(OsRelease.RHEL_9));
        sandbox.nodes().create("without", Gpus.NODE.withoutDevices());
        apply("{}");
        ready();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(driverImages())
                .hasSize(2)
                .anyMatch(image -> image.matches("nvcr.io/nvidia/driver:580.126.20-.*-ubuntu22.04"))
                .anyMatch(image -> image.matches("nvcr.io/nvidia/driver:580.126.20-.*-rhel9"));
        assertThat(operands("ubuntu-1"))
                .containsExactly(
                        "gpu-feature-discovery",
                        "nvidia-container-toolkit-daemonset",
                        "nvidia-dcgm-exporter",
                        "nvidia-device-plugin-daemonset",
                        "nvidia-driver-daemonset",
                        "nvidia-operator-validator");
        assertThat(operands("without")).isEmpty();
        assertThat(labels("without")).doesNotContainKey(Labels.PRESENT);
        assertThat(labels("rhel"))
                .containsEntry(Labels.PRESENT, "true")
                .containsEntry(Labels.DEPLOY + "driver", "true");
        assertThat(condition("OptionalObjectsSkipped").getMessage())
                .as("the cluster has no operator for Prometheus or Grafana")
                .contains("ServiceMonitor", "PrometheusRule", "GrafanaDashboard");
        for (String number : List.of("1000", "2000", "3000", "4000", "5000", "6000", "8000", "9000")) {
            assertThat(reached("ubuntu-2", number)).as(number).isTrue();
        }
    }

    @Test
    void aNewNodeGetsThereByItselfAndOneThatGoesIsForgotten() {
        sandbox.nodes().create("one", Gpus.NODE);
        apply("{}");
        ready();

        sandbox.nodes().create("two", Gpus.NODE);
        assertThat(sandbox.runUntil(LONG, () -> reached("two", "5000") && reached("two", "6000")))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        ready();
        sandbox.nodes().delete("two");
        sandbox.run(Duration.ofMinutes(10));

        assertThat(sandbox.isReady(Gpus.NAME)).isTrue();
        assertThat(sandbox.state(Gpus.NAME)).doesNotContain("two");
    }

    /** All that a new node needs of SRO are its labels; the pods order themselves by what they find on the node. */
    @Test
    void theStackComesUpOnALabelledNodeWhileTheOperatorIsDown() {
        sandbox.nodes().create("one", Gpus.NODE);
        apply("{}");
        ready();
        sandbox.nodes().create("two", Gpus.NODE);
        assertThat(sandbox.runUntil(LONG, () -> labels("two").containsKey(Labels.DEPLOY + "driver")))
                .isTrue();
        sandbox.kill();

        assertThat(sandbox.runUntil(
                        LONG,
                        () -> operands("two")
                                .containsAll(List.of(
                                        "nvidia-driver-daemonset",
                                        "nvidia-operator-validator",
                                        "nvidia-device-plugin-daemonset",
                                        "nvidia-dcgm-exporter"))))
                .isTrue();
        assertThat(reached("two", "1000")).as("nobody wrote that").isFalse();
    }

    @Test
    void aDriverValidationThatFailsOnOneNodeLeavesTheOthersAlone() {
        sandbox.nodes().create("good", Gpus.NODE);
        sandbox.nodes().create("bad", Gpus.NODE);
        Behavior broken = Behavior.crashLoop().node("bad").container("cuda-validation");
        sandbox.simulation().behaviors().add(broken);
        apply("{}");

        assertThat(sandbox.runUntil(LONG, () -> reached("good", "5000") && reached("good", "6000")))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(reached("bad", "1000")).isTrue();
        assertThat(reached("bad", "3000")).isFalse();
        assertThat(sandbox.isReady(Gpus.NAME)).isFalse();
        assertThat(sandbox.state(Gpus.NAME)).contains("3000-driver-validation", "bad", "cuda-validation");

        sandbox.simulation().behaviors().remove(broken);
        sandbox.client().pods().inNamespace("nvidia-gpu-operator").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith("nvidia-operator-validator")
                        && "bad".equals(pod.getSpec().getNodeName()))
                .forEach(pod -> sandbox.client().resource(pod).delete());
        ready();
    }

    @Test
    void aHostDriverIsProvedAndNotLoaded() {
        sandbox.nodes().create("one", Gpus.NODE);
        apply("{driver: {enabled: false}, toolkit: {enabled: false}}");
        ready();

        assertThat(driverImages()).isEmpty();
        assertThat(operands("one")).contains("nvidia-host-driver", "nvidia-device-plugin-daemonset");
        assertThat(operands("one")).doesNotContain("nvidia-container-toolkit-daemonset");
    }

    @Test
    void nodesForMachinesAndNodesForContainersAreServedByOneSpecialResource() {
        sandbox.nodes().create("containers", Gpus.NODE);
        sandbox.nodes().create("machines", Gpus.NODE.withLabel(Labels.WORKLOAD, "vm-passthrough"));
        apply("{sandboxWorkloads: {enabled: true}}");
        ready();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(operands("containers")).contains("nvidia-driver-daemonset").doesNotContain("nvidia-vfio-manager");
        assertThat(operands("machines"))
                .containsExactly(
                        "nvidia-sandbox-device-plugin-daemonset", "nvidia-sandbox-validator", "nvidia-vfio-manager");

        sandbox.nodes().label("machines", Labels.WORKLOAD, "container");
        assertThat(sandbox.runUntil(LONG, () -> operands("machines").contains("nvidia-dcgm-exporter")))
                .isTrue();
        ready();
        assertThat(operands("machines")).doesNotContain("nvidia-vfio-manager");
        assertThat(labels("machines")).doesNotContainKey(Labels.DEPLOY + "vfio-manager");
    }

    @Test
    void nodesForPartsOfGpusGetWhatMakesThem() {
        sandbox.nodes().create("virtual", Gpus.NODE.withLabel(Labels.WORKLOAD, "vm-vgpu"));
        sandbox.nodes().create("typo", Gpus.NODE.withLabel(Labels.WORKLOAD, "vm-vpgu"));
        apply("{sandboxWorkloads: {enabled: true}, vgpuManager: {repository: registry.example/nvidia, image:"
                + " vgpu-manager, version: 570.133.10}, vgpuDeviceManager: {config: {name: vgpu-layouts}}}");
        ready();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(operands("virtual"))
                .hasSize(4)
                .anyMatch(name -> name.startsWith("nvidia-vgpu-manager"))
                .contains(
                        "nvidia-sandbox-device-plugin-daemonset",
                        "nvidia-sandbox-validator",
                        "nvidia-vgpu-device-manager");
        assertThat(operands("typo")).contains("nvidia-driver-daemonset").noneMatch(name -> name.contains("vgpu"));
        assertThat(labels("typo")).containsEntry(Labels.WORKLOAD_STATE, "ignored");
    }

    @Test
    void aPauseOfTheMigManagerTakesOperandsAwayAndNobodyElsesReadiness() {
        sandbox.nodes()
                .create(
                        "one",
                        Gpus.NODE
                                .withLabel(Labels.MIG_CAPABLE, "true")
                                .withLabel(Labels.MIG_CONFIG + ".state", "success"));
        apply("{}");
        ready();
        assertThat(operands("one")).contains("nvidia-mig-manager");
        assertThat(labels("one")).containsEntry(Labels.MIG_CONFIG, "all-disabled");

        for (String operand : List.of("device-plugin", "gpu-feature-discovery", "dcgm-exporter")) {
            sandbox.nodes().label("one", Labels.DEPLOY + operand, "paused-for-mig-change");
        }
        sandbox.nodes().label("one", Labels.MIG_CONFIG + ".state", "pending");
        sandbox.run(Duration.ofMinutes(5));
        assertThat(operands("one")).contains("nvidia-mig-manager").doesNotContain("nvidia-device-plugin-daemonset");
        assertThat(labels("one")).containsEntry(Labels.DEPLOY + "device-plugin", "paused-for-mig-change");
        assertThat(sandbox.state(Gpus.NAME)).contains("9000-mig-manager", "pending");

        for (String operand : List.of("device-plugin", "gpu-feature-discovery", "dcgm-exporter")) {
            sandbox.nodes().label("one", Labels.DEPLOY + operand, "true");
        }
        sandbox.nodes().label("one", Labels.MIG_CONFIG + ".state", "success");
        ready();
        assertThat(operands("one")).contains("nvidia-device-plugin-daemonset");
    }

    @Test
    void aLayoutThatTheMigManagerCannotApplyIsAProblemOfThatNode() {
        for (String node : List.of("good", "bad")) {
            sandbox.nodes().create(node, Gpus.NODE.withLabel(Labels.MIG_CAPABLE, "true"));
            sandbox.nodes().label(node, Labels.MIG_STATE, "success");
        }
        apply("{}");
        ready();

        sandbox.nodes().label("bad", Labels.MIG_STATE, "rebooting");
        sandbox.run(Duration.ofMinutes(5));
        assertThat(condition("Ready").getStatus()).isEqualTo("False");
        assertThat(condition("Degraded").getStatus()).as("a wait").isEqualTo("False");

        sandbox.nodes().label("bad", Labels.MIG_STATE, "failed");
        assertThat(sandbox.runUntil(
                        LONG, () -> condition("Degraded").getStatus().equals("True")))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(condition("Degraded").getReason()).isEqualTo("NvidiaMigConfigFailed");
        assertThat(condition("Degraded").getMessage())
                .contains("node bad", Labels.MIG_STATE + " is \"failed\"", "log of the pod nvidia-mig-manager");
        assertThat(reached("bad", "9000")).isFalse();
        assertThat(reached("good", "9000")).isTrue();

        sandbox.nodes().label("bad", Labels.MIG_STATE, "success");
        ready();
        assertThat(condition("Degraded").getStatus()).isEqualTo("False");
    }

    @Test
    void withoutADefaultLayoutNobodyWaitsForOneAndAFailureIsToldAllTheSame() {
        for (String node : List.of("uncut", "bad")) {
            sandbox.nodes().create(node, Gpus.NODE.withLabel(Labels.MIG_CAPABLE, "true"));
        }
        apply("{migManager: {config: {default: ''}}}");
        ready();
        assertThat(reached("uncut", "9000")).isTrue();

        sandbox.nodes().label("bad", Labels.MIG_STATE, "failed");
        assertThat(sandbox.runUntil(
                        LONG, () -> condition("Degraded").getStatus().equals("True")))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(condition("Degraded").getReason()).isEqualTo("NvidiaMigConfigFailed");
        assertThat(condition("Degraded").getMessage()).contains("node bad");

        sandbox.nodes().label("bad", Labels.MIG_STATE, "pending");
        ready();
    }

    @Test
    void aNodeWhoseGpusAreGoneSaysSoAndHasNoOperandsUntilTheyAreBack() {
        sandbox.nodes().create("one", Gpus.NODE);
        sandbox.nodes().create("two", Gpus.NODE);
        apply("{}");
        ready();

        sandbox.nodes().change("two", profile -> profile.withoutDevices());
        assertThat(sandbox.runUntil(LONG, () -> operands("two").isEmpty()))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(labels("two")).containsEntry(Labels.PRESENT, "false");
        assertThat(labels("two").keySet()).noneMatch(label -> label.startsWith(Labels.DEPLOY));
        ready();
        assertThat(sandbox.state(Gpus.NAME)).doesNotContain("two");

        sandbox.nodes().change("two", profile -> Gpus.NODE);
        assertThat(sandbox.runUntil(LONG, () -> reached("two", "5000"))).isTrue();
        assertThat(labels("two")).containsEntry(Labels.PRESENT, "true");
    }

    @Test
    void wrongSettingsChangeNothingThatRuns() {
        sandbox.nodes().create("one", Gpus.NODE);
        apply("{}");
        ready();
        sandbox.apply(Gpus.resource("{toolkit: {versoin: v2}}"));
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.state(Gpus.NAME))
                .contains("spec.plugin.config.toolkit.versoin", "did you mean toolkit.version?");
        assertThat(operands("one")).contains("nvidia-container-toolkit-daemonset", "nvidia-driver-daemonset");
    }
}
