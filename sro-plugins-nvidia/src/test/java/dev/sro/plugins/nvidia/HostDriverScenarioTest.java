package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Single nodes that bring their driver, in a cluster where SRO loads it: the stack comes up there as well. */
class HostDriverScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(40);

    private static final String BARRIER = "/run/nvidia/validations/driver-ready";

    private final SroSandbox sandbox = SroSandbox.create(new NvidiaPlugin());

    /** Containers wait for each other by the file that they really wait for. */
    @BeforeEach
    void barriers() {
        sandbox.simulation().behaviors().add(Behavior.waitsForFiles(BARRIER).container("wait-for-driver"));
        sandbox.simulation().behaviors().add(Behavior.leavesFile(BARRIER).container("nvidia-driver-ctr"));
        sandbox.simulation().behaviors().add(Behavior.leavesFile(BARRIER).container("nvidia-host-driver"));
    }

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
        return sandbox.client().nodes().withName(node).get().getMetadata().getLabels();
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

    @Test
    void aNodeThatOptsOutOfTheDriverHasItsOwnProvedAndGetsTheRest() {
        sandbox.nodes().create("managed", Gpus.NODE);
        sandbox.nodes().create("own", Gpus.NODE.withLabel(Labels.DEPLOY + "driver", "false"));
        apply("{}");
        ready();

        assertThat(operands("own"))
                .contains("nvidia-host-driver", "nvidia-container-toolkit-daemonset", "nvidia-device-plugin-daemonset")
                .doesNotContain("nvidia-driver-daemonset");
        assertThat(operands("managed")).contains("nvidia-driver-daemonset").doesNotContain("nvidia-host-driver");
        assertThat(labels("own")).containsEntry(Labels.DEPLOY + "driver", "false");
    }

    /** The driver manager finds a driver of the host, says so by the label, and leaves. */
    @Test
    void aNodeOnWhichADriverIsFoundGoesOnWithThat() {
        sandbox.nodes().create("managed", Gpus.NODE);
        sandbox.nodes().create("found", Gpus.NODE);
        Behavior refuses = Behavior.crashLoop().node("found").container("k8s-driver-manager");
        sandbox.simulation().behaviors().add(refuses);
        apply("{}");
        assertThat(sandbox.runUntil(LONG, () -> operands("found").contains("nvidia-driver-daemonset")))
                .isTrue();

        sandbox.nodes().label("found", Labels.DEPLOY + "driver", "pre-installed");
        ready();

        assertThat(operands("found"))
                .contains("nvidia-host-driver", "nvidia-operator-validator", "nvidia-dcgm-exporter")
                .doesNotContain("nvidia-driver-daemonset");
        assertThat(labels("found")).containsEntry(Labels.DEPLOY + "driver", "pre-installed");
    }

    @Test
    void withClaimsItIsTheSame() {
        sandbox.nodes().create("own", Gpus.NODE.withLabel(Labels.DEPLOY + "driver", "false"));
        apply("{dra: {enabled: true}}");
        ready();

        assertThat(operands("own"))
                .contains("nvidia-host-driver", "nvidia-dra-driver-kubelet-plugin")
                .doesNotContain("nvidia-driver-daemonset");
    }

    /** The claim of the exporter is for all GPUs, also those in use: an API server takes it in such namespaces alone. */
    @Test
    void theNamespaceAllowsAdminAccessWhereMonitoringHasClaimsAndNowhereElse() {
        sandbox.nodes().create("own", Gpus.NODE);
        apply("{}");
        ready();
        assertThat(namespaceLabels()).doesNotContainKey("resource.kubernetes.io/admin-access");

        apply("{dra: {enabled: true}}");
        ready();
        assertThat(namespaceLabels()).containsEntry("resource.kubernetes.io/admin-access", "true");

        apply("{}");
        ready();
        assertThat(namespaceLabels()).doesNotContainKey("resource.kubernetes.io/admin-access");
    }

    private Map<String, String> namespaceLabels() {
        return sandbox.client()
                .namespaces()
                .withName("nvidia-gpu-operator")
                .get()
                .getMetadata()
                .getLabels();
    }

    @Test
    void aNodeThatTakesTheDriverAfterAllIsNotProvedAnyMore() {
        sandbox.nodes().create("one", Gpus.NODE.withLabel(Labels.DEPLOY + "driver", "false"));
        apply("{}");
        ready();

        sandbox.nodes().label("one", Labels.DEPLOY + "driver", "true");
        assertThat(sandbox.runUntil(LONG, () -> operands("one").contains("nvidia-driver-daemonset")))
                .isTrue();
        ready();

        assertThat(operands("one")).doesNotContain("nvidia-host-driver");
        assertThat(labels("one")).doesNotContainKey(Labels.DEPLOY + "host-driver");
    }

    @Test
    void aHostWithoutADriverIsWaitedForAndKeepsNobodyElse() {
        sandbox.nodes().create("managed", Gpus.NODE);
        sandbox.nodes().create("own", Gpus.NODE.withLabel(Labels.DEPLOY + "driver", "false"));
        sandbox.simulation()
                .behaviors()
                .add(Behavior.waitsForFiles("/usr/bin/nvidia-smi").container("find-driver"));
        apply("{}");

        assertThat(sandbox.runUntil(
                        LONG,
                        () -> "Ready".equals(labels("managed").get("specialresource.openshift.io/state-gpu-6000"))))
                .as(() -> sandbox.state(Gpus.NAME))
                .isTrue();
        assertThat(sandbox.isReady(Gpus.NAME)).isFalse();
        assertThat(sandbox.state(Gpus.NAME)).contains("1010-host-driver: 1 of 2 nodes ready", "nvidia-host-driver-");
        assertThat(labels("own").get("specialresource.openshift.io/state-gpu-1010"))
                .isNotEqualTo("Ready");
    }
}
