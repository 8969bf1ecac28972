package dev.sro.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Modules that are loaded by a pod for each node, which ends: the life of such nodes. */
final class WorkerScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final NodeProfile NODE = NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true");
    private static final String READY = "specialresource.openshift.io/state-gpu-0500";

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: gpu}
        spec:
          namespace: gpu-ns
          plugin: {name: gpu, config: {level: "%s"}}
          nodeSelector: {example.com/device: "true"}
        """;

    private final SroSandbox sandbox = SroSandbox.create(new LoadingPlugin("gpu"));

    @BeforeEach
    void twoNodesReady() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.succeedAfter(Duration.ofSeconds(2)).container("driver-load"));
        sandbox.nodes().create("a", NODE);
        sandbox.nodes().create("b", NODE);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(RESOURCE.formatted("1"));
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("gpu")))
                .as(sandbox.state("gpu"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private List<Recording.Entry> requests() {
        return sandbox.cluster()
                .recording()
                .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch"));
    }

    private List<Pod> workers() {
        return WorkerRecipe.workers(sandbox, "gpu-ns");
    }

    private Map<String, String> labels(String node) {
        return sandbox.client().nodes().withName(node).get().getMetadata().getLabels();
    }

    private String loaded(String node) {
        return WorkerRecipe.loaded(labels(node).getOrDefault(WorkerRecipe.LOADED, ""));
    }

    /** What pods were made for, one letter each: l or u, and the configuration. */
    private List<String> works() {
        List<String> works = new ArrayList<>();
        for (Recording.Entry entry : requests()) {
            if (entry.verb().equals("patch") && entry.path().contains("/pods/")) {
                works.add(entry.path());
            }
        }
        return works;
    }

    @Test
    void loadsOnceAndLeavesNoPod() {
        assertThat(workers()).isEmpty();
        assertThat(loaded("a")).isEqualTo("1");
        assertThat(labels("a")).containsEntry(READY, "Ready");

        sandbox.run(Duration.ofMinutes(30));

        assertThat(requests()).isEmpty();
    }

    @Test
    void aNewNodeCostsFourWritesAndNobodyElseAny() {
        sandbox.nodes().create("c", NODE);
        assertThat(sandbox.runUntil(LONG, () -> labels("c").containsKey(READY))).isTrue();
        sandbox.run(Duration.ofMinutes(1));

        assertThat(loaded("c")).isEqualTo("1");
        assertThat(workers()).isEmpty();
        assertThat(requests().stream()
                        .filter(e -> e.path().endsWith("/nodes/a") || e.path().endsWith("/nodes/b")))
                .isEmpty();
        assertThat(requests().stream()
                        .filter(e -> e.path().contains("/pods/") || e.path().endsWith("/nodes/c")))
                .as("ask, make, label twice, delete")
                .hasSizeLessThanOrEqualTo(6);
    }

    @Test
    void aRebootLoadsAnew() {
        String before = String.valueOf(labels("a").get(WorkerRecipe.LOADED));

        sandbox.nodes().reboot("a");
        assertThat(sandbox.runUntil(LONG, () -> !before.equals(labels("a").get(WorkerRecipe.LOADED))))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));

        assertThat(loaded("a")).isEqualTo("1");
        assertThat(labels("a")).containsEntry(READY, "Ready");
        assertThat(works()).hasSize(1);
        assertThat(workers()).isEmpty();
    }

    /** So quick that nobody sees the node NotReady, and twice. */
    @Test
    void aRebootWhileAPodLoadsIsNotTakenForLoaded() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.succeedAfter(Duration.ofMinutes(3))
                        .container("driver-load")
                        .times(1));
        sandbox.nodes().reboot("a");
        assertThat(sandbox.runUntil(LONG, () -> !workers().isEmpty())).isTrue();
        String first = workers().get(0).getMetadata().getUid();

        sandbox.nodes().reboot("a");
        assertThat(sandbox.runUntil(
                        LONG,
                        () -> workers().stream()
                                .anyMatch(pod -> !pod.getMetadata().getUid().equals(first))))
                .as("another pod, for this boot")
                .isTrue();
        assertThat(sandbox.runUntil(
                        LONG, () -> sandbox.isReady("gpu") && workers().isEmpty()))
                .isTrue();
        assertThat(labels("a")).containsEntry(READY, "Ready");
    }

    @Test
    void anotherKernelLoadsWithoutUnloading() {
        sandbox.nodes().reboot("a", "6.8.0-99-generic");
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("gpu") && works().size() > 0))
                .isTrue();
        sandbox.run(Duration.ofMinutes(2));

        assertThat(works()).hasSize(1);
        assertThat(loaded("a")).isEqualTo("1");
        assertThat(templates()).as("one for each kernel").hasSize(2);
    }

    private List<String> templates() {
        return sandbox
                .client()
                .genericKubernetesResources("v1", "PodTemplate")
                .inNamespace("gpu-ns")
                .list()
                .getItems()
                .stream()
                .map(template -> template.getMetadata().getName())
                .toList();
    }

    @Test
    void anotherConfigurationIsUnloadedThenLoaded() {
        List<String> old = templates();
        sandbox.apply(RESOURCE.formatted("2"));
        List<String> images = new ArrayList<>();
        assertThat(sandbox.runUntil(LONG, () -> {
                    workers().stream()
                            .filter(pod -> pod.getSpec().getNodeName().equals("a"))
                            .map(pod -> WorkerRecipe.work(pod).replaceFirst("\\.0+", " "))
                            .map(work -> work.substring(0, work.indexOf('.')))
                            .filter(work -> !images.contains(work))
                            .forEach(images::add);
                    return loaded("a").equals("2") && loaded("b").equals("2");
                }))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));

        assertThat(images).containsExactly("unload 1", "load 2");
        assertThat(workers()).isEmpty();
        assertThat(templates()).hasSize(1).isNotEqualTo(old);
        assertThat(sandbox.isReady("gpu")).isTrue();
    }

    @Test
    void whatIsLoadedStaysReadyOnACordonedOrTaintedNode() {
        sandbox.nodes().cordon("a").taint("b", "maintenance", "soon", "NoSchedule");
        sandbox.run(Duration.ofMinutes(10));

        assertThat(labels("a")).containsEntry(READY, "Ready");
        assertThat(labels("b")).containsEntry(READY, "Ready");
        assertThat(works()).isEmpty();
    }

    @Test
    void nothingIsLoadedOnATaintedNode() {
        sandbox.nodes().taint("b", "maintenance", "soon", "NoSchedule");
        sandbox.run(Duration.ofMinutes(1));
        sandbox.nodes().reboot("b");
        sandbox.run(Duration.ofMinutes(10));

        assertThat(works()).isEmpty();
        assertThat(labels("b")).doesNotContainKey(READY);

        sandbox.nodes().untaint("b", "maintenance");
        assertThat(sandbox.runUntil(LONG, () -> labels("b").containsKey(READY))).isTrue();
    }

    @Test
    void aCordonedNodeIsLoadedAfterItsReboot() {
        sandbox.nodes().cordon("a").reboot("a");

        assertThat(sandbox.runUntil(
                        LONG, () -> works().size() == 1 && labels("a").containsKey(READY)))
                .isTrue();
    }

    @Test
    void aPodThatFailsIsReportedAndHoldsUpNobody() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.crashLoop().container("driver-load").node("c"));
        sandbox.nodes().create("c", NODE).create("d", NODE);
        assertThat(sandbox.runUntil(LONG, () -> labels("d").containsKey(READY))).isTrue();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(labels("c")).doesNotContainKey(READY);
        assertThat(labels("a")).containsEntry(READY, "Ready");
        assertThat(String.valueOf(sandbox.get("gpu").orElseThrow().getStatus()))
                .contains("LoadFailed")
                .contains("node c");
        int before = works().size();
        sandbox.run(Duration.ofMinutes(20));
        assertThat(works()).as("the kubelet restarts it, SRO does not").hasSize(before);
    }

    @Test
    void aWrongImageIsReplacedAlthoughItNeverCame() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.pullError("manifest unknown").image("*:0000000000000002"));
        sandbox.apply(RESOURCE.formatted("2"));
        sandbox.run(Duration.ofMinutes(3));
        assertThat(String.valueOf(sandbox.get("gpu").orElseThrow().getStatus())).contains("ImagePullFailed");

        sandbox.apply(RESOURCE.formatted("3"));

        assertThat(sandbox.runUntil(
                        LONG, () -> loaded("a").equals("3") && loaded("b").equals("3")))
                .as(sandbox.state("gpu") + workers())
                .isTrue();
    }

    @Test
    void aWrongParameterIsReplacedAlthoughItNeverLoads() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.crashLoop().image("*:0000000000000002").times(3));
        sandbox.apply(RESOURCE.formatted("2"));
        assertThat(sandbox.runUntil(
                        LONG,
                        () -> String.valueOf(sandbox.get("gpu").orElseThrow().getStatus())
                                .contains("LoadFailed")))
                .isTrue();

        sandbox.apply(RESOURCE.formatted("3"));

        assertThat(sandbox.runUntil(
                        LONG, () -> loaded("a").equals("3") && loaded("b").equals("3")))
                .as(sandbox.state("gpu") + workers())
                .isTrue();
    }

    /** Evicted, or turned away by the kubelet. */
    @Test
    void aPodThatTheKubeletGivesUpIsMadeAnewAfterAMinute() {
        sandbox.nodes().reboot("a");
        assertThat(sandbox.runUntil(LONG, () -> !workers().isEmpty())).isTrue();
        sandbox.client().resource(workers().get(0)).editStatus(pod -> {
            pod.getStatus().setPhase("Failed");
            pod.getStatus().setMessage("The node was low on resource: memory.");
            return pod;
        });
        sandbox.run(Duration.ofSeconds(10));
        assertThat(String.valueOf(sandbox.get("gpu").orElseThrow().getStatus())).contains("low on resource");

        assertThat(sandbox.runUntil(
                        LONG, () -> sandbox.isReady("gpu") && workers().isEmpty()))
                .as(sandbox.state("gpu"))
                .isTrue();
        assertThat(works()).hasSize(2);
    }

    @Test
    void deletionUnloadsEveryNodeBeforeTheRestGoes() {
        sandbox.client().resource(sandbox.get("gpu").orElseThrow()).delete();
        List<String> done = new ArrayList<>();
        assertThat(sandbox.runUntil(LONG, () -> {
                    workers().forEach(pod -> done.add(WorkerRecipe.work(pod).substring(0, 6)));
                    return sandbox.get("gpu").isEmpty();
                }))
                .as(sandbox.state("gpu"))
                .isTrue();

        assertThat(done).contains("unload").doesNotContain("load.0");
        assertThat(labels("a")).doesNotContainKeys(WorkerRecipe.LOADED, READY);
    }

    @Test
    void whatSomebodyElseSaysIsLoadedIsToldOfWhileAllGoes() {
        sandbox.nodes().reboot("a");
        assertThat(sandbox.runUntil(LONG, () -> !workers().isEmpty())).isTrue();
        sandbox.nodes().label("a", WorkerRecipe.LOADED, "wrong");
        sandbox.client().resource(sandbox.get("gpu").orElseThrow()).delete();
        sandbox.run(Duration.ofMinutes(10));
        assertThat(sandbox.state("gpu"))
                .contains("node a: label sro.dev/loaded-gpu is \"wrong\" and not ours alone", "remove the label");
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(1));
        assertThat(requests()).isEmpty();

        sandbox.nodes().label("a", WorkerRecipe.LOADED, null);

        assertThat(sandbox.runUntil(LONG, () -> sandbox.get("gpu").isEmpty()))
                .as(sandbox.state("gpu"))
                .isTrue();
    }

    @Test
    void aNodeThatIsNotSelectedAnyMoreIsUnloaded() {
        sandbox.nodes().label("b", "example.com/device", null);

        assertThat(sandbox.runUntil(LONG, () -> !labels("b").containsKey(WorkerRecipe.LOADED)))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));

        assertThat(works()).hasSize(1);
        assertThat(workers()).isEmpty();
        assertThat(labels("b").keySet()).noneMatch(label -> label.startsWith("sro.dev/"));
        assertThat(loaded("a")).isEqualTo("1");
    }

    @Test
    void anOperatorThatIsKilledGoesOnWhereItWas() {
        for (int seconds = 1; seconds < 12; seconds++) {
            sandbox.nodes().reboot("a");
            sandbox.run(Duration.ofSeconds(30 + seconds));
            sandbox.kill();
            sandbox.run(Duration.ofSeconds(5));
            sandbox.start();
            assertThat(sandbox.runUntil(
                            LONG, () -> sandbox.isReady("gpu") && workers().isEmpty()))
                    .as("killed after " + seconds)
                    .isTrue();
        }
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofMinutes(10));
        assertThat(requests()).isEmpty();
    }
}
