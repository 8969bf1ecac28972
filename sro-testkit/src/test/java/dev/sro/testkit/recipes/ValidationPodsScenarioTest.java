package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.SimGpus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Validations of the first generation: states that consist of a pod that runs to an end, one that asks for no device behind the driver
 * and one that asks for a device behind the device plugin.
 */
class ValidationPodsScenarioTest extends StateFileWorld {

    private static final String NAMESPACE = "gpu";

    private static final Map<String, String> FILES = Map.of(
            "0001-state-driver.yaml", daemonSet("driver"),
            "0002-state-driver-validation.yaml", pod("cuda-vector-add-raw", "Never", "{}"),
            "0003-state-device-plugin.yaml", daemonSet("device-plugin"),
            "0004-state-device-plugin-validation.yaml",
                    pod("cuda-vector-add", "OnFailure", "{limits: {\"" + SimGpus.RESOURCE + "\": 1}}"),
            "0005-state-monitoring.yaml", daemonSet("exporter"));

    private static String daemonSet(String name) {
        return """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: %1$s
              annotations: {specialresource.openshift.io/wait: "true"}
            spec:
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  containers: [{name: main, image: "registry.example.com/%1$s:1"}]
            """.formatted(name);
    }

    private static String pod(String name, String restart, String resources) {
        return """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %1$s
              annotations: {specialresource.openshift.io/wait: "true"}
            spec:
              restartPolicy: %2$s
              nodeSelector: {"nvidia.com/card": "true"}
              containers: [{name: %1$s, image: "registry.example.com/cuda:1", resources: %3$s}]
            """.formatted(name, restart, resources);
    }

    private void install() {
        sandbox.nodes().create("card", NODE.withLabel("nvidia.com/card", "true").withResource(SimGpus.RESOURCE, "8"));
        namespace(NAMESPACE);
        put(map(NAMESPACE, NAMESPACE, FILES));
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: gpu}
            spec: {namespace: gpu, nodeSelector: {nvidia.com/card: "true"}}
            """);
    }

    private List<String> pods(String name) {
        return sandbox.client().pods().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().equals(name))
                .map(pod -> pod.getStatus().getPhase())
                .toList();
    }

    private String degraded() {
        return condition("gpu", "Degraded")
                .filter(one -> one.getStatus().equals("True"))
                .map(Condition::getMessage)
                .orElse("");
    }

    @Test
    void whatComesAfterAValidationComesWhenItsPodHasSucceeded() {
        install();

        assertThat(sandbox.runUntil(LIMIT, () -> daemonSets(NAMESPACE).contains("device-plugin")))
                .isTrue();
        assertThat(pods("cuda-vector-add-raw")).containsExactly("Succeeded");
        assertThat(pods("cuda-vector-add")).isEmpty();
        assertThat(sandbox.runUntil(LIMIT, () -> daemonSets(NAMESPACE).contains("exporter")))
                .isTrue();
        assertThat(pods("cuda-vector-add")).containsExactly("Succeeded");
        awaitReady("gpu");
    }

    @Test
    void aValidationRunsOnce() {
        install();
        awaitReady("gpu");
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();

        sandbox.run(Duration.ofHours(1));
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .isEmpty();
    }

    @Test
    void aPodThatFailsIsAProblemAndNothingComesAfterItUntilItIsDeletedAndSucceeds() {
        Behavior broken = Behavior.fail(1, Duration.ofSeconds(2)).container("cuda-vector-add-raw");
        sandbox.simulation().behaviors().add(broken);
        install();

        assertThat(sandbox.runUntil(LIMIT, () -> degraded().contains("cuda-vector-add-raw failed")))
                .as(() -> sandbox.state("gpu"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(10));
        assertThat(daemonSets(NAMESPACE)).containsExactly("driver");

        sandbox.simulation().behaviors().remove(broken);
        Pod failed = sandbox.client()
                .pods()
                .inNamespace(NAMESPACE)
                .withName("cuda-vector-add-raw")
                .get();
        sandbox.client().resource(failed).delete();
        awaitReady("gpu");
        assertThat(degraded()).isEmpty();
    }

    @Test
    void aPodThatMayFailIsWaitedFor() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(2))
                        .container("cuda-vector-add")
                        .times(2));
        install();

        assertThat(sandbox.runUntil(
                        LIMIT, () -> sandbox.isReady("gpu") || !degraded().isEmpty()))
                .isTrue();
        assertThat(degraded()).isEmpty();
        assertThat(pods("cuda-vector-add")).containsExactly("Succeeded");
    }
}
