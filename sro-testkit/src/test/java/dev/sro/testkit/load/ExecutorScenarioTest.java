package dev.sro.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How far nodes are with what executors make of load plans: DaemonSets for some nodes, and Modules of KMM. */
final class ExecutorScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final NodeProfile NODE = NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true");
    private static final String READY = "specialresource.openshift.io/state-gpu-0500";

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: gpu}
        spec:
          namespace: gpu-ns
          plugin: {name: gpu}
          nodeSelector: {example.com/device: "true"}
        """;

    private static final String FOR_SOME = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: load-%1$s
          annotations:
            specialresource.openshift.io/kernel-affine: "true"
            sro.dev/load-when: "%2$sonload=true"
        spec:
          updateStrategy: {type: OnDelete}
          selector: {matchLabels: {app: load-%1$s}}
          template:
            metadata: {labels: {app: load-%1$s}}
            spec:
              affinity:
                nodeAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                    nodeSelectorTerms:
                    - matchExpressions: [{key: onload, operator: %3$s, values: ["true"]}]
              containers: [{name: driver-load, image: registry.example/gpu:1}]
        """;

    private static final String MODULE = """
        apiVersion: kmm.sigs.x-k8s.io/v1beta1
        kind: Module
        metadata: {name: gpu}
        spec: {selector: {example.com/device: "true"}}
        """;

    private record Recipe(String manifest) implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("gpu", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.builder()
                    .id("0500-driver-load")
                    .reach(Reach.nodeByNode())
                    .addManifests(ManifestTemplate.text("load.yaml", manifest))
                    .build());
        }
    }

    private static Map<String, String> labels(SroSandbox sandbox, String node) {
        return sandbox.client().nodes().withName(node).get().getMetadata().getLabels();
    }

    @Test
    void aNodeWaitsOnlyForTheDaemonSetThatIsForIt() {
        String both = FOR_SOME.formatted("with", "+", "In") + "---\n" + FOR_SOME.formatted("without", "-", "NotIn");
        try (SroSandbox sandbox = SroSandbox.create(new Recipe(both))) {
            sandbox.nodes().create("a", NODE.withLabel("onload", "true")).create("b", NODE);
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(RESOURCE);

            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("gpu")))
                    .as(sandbox.state("gpu"))
                    .isTrue();
            assertThat(labels(sandbox, "a")).containsEntry(READY, "Ready");
            assertThat(labels(sandbox, "b")).containsEntry(READY, "Ready");
            assertThat(sandbox.client().pods().inNamespace("gpu-ns").list().getItems())
                    .hasSize(2);
        }
    }

    @Test
    void nodesOfAModuleAreReadyWhenKmmLabelsThem() {
        try (SroSandbox sandbox = SroSandbox.create(new Recipe(MODULE))) {
            sandbox.serve("kmm.sigs.x-k8s.io", "v1beta1", "Module", "modules", true);
            sandbox.nodes().create("a", NODE).create("b", NODE);
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(RESOURCE);
            sandbox.run(Duration.ofMinutes(2));

            assertThat(sandbox.isReady("gpu")).isFalse();
            assertThat(String.valueOf(sandbox.get("gpu").orElseThrow().getStatus()))
                    .contains("KmmModuleNotReady");

            String label = "kmm.node.kubernetes.io/gpu-ns.gpu.ready";
            sandbox.nodes().label("a", label, "");
            assertThat(sandbox.runUntil(LONG, () -> labels(sandbox, "a").containsKey(READY)))
                    .isTrue();
            assertThat(labels(sandbox, "b")).doesNotContainKey(READY);

            sandbox.nodes().label("b", label, "");
            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("gpu"))).isTrue();

            sandbox.nodes().label("b", label, null);
            assertThat(sandbox.runUntil(LONG, () -> !labels(sandbox, "b").containsKey(READY)))
                    .as("taken back")
                    .isTrue();
        }
    }
}
