package dev.sro.testkit.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.api.resource.UpgradeStatus;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Upgrades of a driver, node by node, with counted requests. */
final class UpgradeScenarioTest {

    private static final Duration LONG = Duration.ofHours(2);
    private static final String STATE = "sro.dev/gpu.driver-upgrade-state";
    private static final NodeProfile PROFILE = NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true");

    private final SroSandbox sandbox = SroSandbox.create(
            new GpuPlugin(
                    "gpu",
                    UpgradeStrategy.builder()
                            .validateBefore(List.of("2000-validation"))
                            .build()),
            new GpuPlugin("net", UpgradeStrategy.builder().build()));

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void resource(String name, String version, String policy) {
        resource(name, version, version, policy);
    }

    private void resource(String name, String version, String digest, String policy) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec:
              namespace: %1$s
              plugin: {name: %1$s}
              nodeSelector: {example.com/device: "true"}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "%2$s", digest: "%3$s"}
              upgradePolicy: %4$s
            """.formatted(name, version, digest, policy));
    }

    private void ready(String policy, int nodes) {
        sandbox.nodes().createMany("node-", nodes, PROFILE);
        resource("gpu", "1", policy);
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("gpu") && done("gpu")))
                .as(() -> String.valueOf(status("gpu")))
                .isTrue();
        sandbox.run(Duration.ofSeconds(5));
        sandbox.cluster().recording().start();
    }

    private UpgradeStatus status(String name) {
        return sandbox.get(name).orElseThrow().getStatus().getUpgrade();
    }

    private boolean done(String name) {
        UpgradeStatus status = status(name);
        return status != null
                && "Done".equals(status.getState())
                && sandbox.get(name)
                        .orElseThrow()
                        .getMetadata()
                        .getGeneration()
                        .equals(sandbox.get(name).orElseThrow().getStatus().getObservedGeneration());
    }

    private Map<String, String> versions(String name) {
        return sandbox.client().pods().inNamespace(name).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(name + "-driver"))
                .collect(Collectors.toMap(
                        pod -> pod.getSpec().getNodeName(),
                        pod -> pod.getSpec().getContainers().get(0).getImage().replaceFirst(".*:", ""),
                        (a, b) -> a + "," + b,
                        TreeMap::new));
    }

    private Map<String, String> phases(String label) {
        Map<String, String> phases = new TreeMap<>();
        for (Node node : sandbox.client().nodes().list().getItems()) {
            phases.put(
                    node.getMetadata().getName(),
                    node.getMetadata().getLabels().getOrDefault(label, "")
                            + (Boolean.TRUE.equals(node.getSpec().getUnschedulable()) ? " cordoned" : ""));
        }
        return phases;
    }

    @Test
    void replacesDriversNodeByNodeWithinTheBudget() {
        ready("{autoUpgrade: true, maxParallelUpgrades: 2, maxUnavailable: 50%}", 5);

        resource("gpu", "2", "{autoUpgrade: true, maxParallelUpgrades: 2, maxUnavailable: 50%}");
        int[] most = new int[1];
        boolean ended = sandbox.runUntil(LONG, () -> {
            long cordoned = phases(STATE).values().stream()
                    .filter(phase -> phase.endsWith(" cordoned"))
                    .count();
            most[0] = (int) Math.max(most[0], cordoned);
            return done("gpu") && versions("gpu").values().stream().allMatch("2"::equals);
        });

        assertThat(ended)
                .as(() -> phases(STATE) + " " + versions("gpu") + " " + status("gpu"))
                .isTrue();
        assertThat(most[0]).isEqualTo(2);
        assertThat(phases(STATE).values()).containsOnly("upgrade-done");
        Map<String, Long> writes = sandbox.cluster().recording().writes().stream()
                .filter(entry ->
                        entry.userAgent().equals("sro") && entry.resource().equals("nodes"))
                .collect(Collectors.groupingBy(Recording.Entry::name, TreeMap::new, Collectors.counting()));
        System.out.println(writes + " " + sandbox.cluster().recording().counts());
        assertThat(writes.values()).allMatch(count -> count <= 6);
    }
}
