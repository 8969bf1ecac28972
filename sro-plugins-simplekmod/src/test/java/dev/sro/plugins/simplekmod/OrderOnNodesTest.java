package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Other vendors' drivers come before the modules and behind them, and the proof is for the nodes that want it. */
class OrderOnNodesTest {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** Another vendor's: one DaemonSet that brings a capability to a node, or comes behind one. */
    private record OtherPlugin(String name, String provides, String after) implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of(name, "1.0.0", "Other");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            State.Builder state = State.builder()
                    .id("1000-driver")
                    .reach(Reach.nodeByNode())
                    .addManifests(ManifestTemplate.text("driver.yaml", """
                        apiVersion: apps/v1
                        kind: DaemonSet
                        metadata: {name: "${name}-driver"}
                        spec:
                          selector: {matchLabels: {app: "${name}"}}
                          template:
                            metadata: {labels: {app: "${name}"}}
                            spec: {containers: [{name: driver, image: "registry.example/driver:1"}]}
                        """));
            if (!provides.isEmpty()) {
                state.addProvides(provides);
            }
            if (!after.isEmpty()) {
                state.addAfterCapabilities(after);
            }
            return StateGraph.chain(state.build());
        }

        String resource() {
            return """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: %1$s}
                spec: {namespace: %1$s, plugin: {name: %1$s}}
                """.formatted(name);
        }
    }

    private static String with(String config) {
        return SimpleKmodScenarioTest.RESOURCE.replace(
                "plugin: {name: simple-kmod}", "plugin: {name: simple-kmod, config: " + config + "}");
    }

    private static boolean hasPod(SroSandbox sandbox, String node, String prefix) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .anyMatch(pod -> pod.at("/spec/nodeName").asText().equals(node)
                        && pod.at("/metadata/name").asText().startsWith(prefix));
    }

    @Test
    void theModulesComeBehindTheNetworkDriverAndBeforeWhatBuildsUponThem() {
        OtherPlugin network = new OtherPlugin("network", "network-driver", "");
        OtherPlugin storage = new OtherPlugin("storage", "", "simple-kmod");
        try (SroSandbox sandbox = SroSandbox.create(new SimpleKmodPlugin(), network, storage)) {
            Behavior slow = Behavior.neverReady().workload("network-driver");
            sandbox.simulation().behaviors().add(slow);
            sandbox.nodes().create("a", NodeProfile.of(OsRelease.RHEL_9));
            sandbox.run(Duration.ofMinutes(2));
            List.of(network.resource(), with("{after: [network-driver]}"), storage.resource())
                    .forEach(sandbox::apply);
            sandbox.run(LIMIT);

            assertThat(hasPod(sandbox, "a", "network-driver"))
                    .as(() -> sandbox.state("network"))
                    .isTrue();
            assertThat(hasPod(sandbox, "a", "simple-kmod-driver-container")).isFalse();
            assertThat(hasPod(sandbox, "a", "storage-driver")).isFalse();

            sandbox.simulation().behaviors().remove(slow);
            Behavior unproved =
                    Behavior.crashLoop().workload("simple-kmod-validation*").container("validate");
            sandbox.simulation().behaviors().add(unproved);
            StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                    .map(pod -> pod.at("/metadata/name").asText())
                    .filter(name -> name.startsWith("network-driver"))
                    .forEach(name -> sandbox.simulation().restartContainers("network", name, ""));
            assertThat(sandbox.runUntil(LIMIT, () -> hasPod(sandbox, "a", "simple-kmod-validation")))
                    .as(() -> sandbox.state("simple-kmod"))
                    .isTrue();
            sandbox.run(LIMIT);
            assertThat(hasPod(sandbox, "a", "storage-driver"))
                    .as("loaded is not proved")
                    .isFalse();

            sandbox.simulation().behaviors().remove(unproved);
            assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod") && sandbox.isReady("storage")))
                    .as(() -> sandbox.state("simple-kmod") + sandbox.state("storage"))
                    .isTrue();
            assertThat(hasPod(sandbox, "a", "storage-driver")).isTrue();
        }
    }

    @Test
    void onlyNodesThatWantItAreProvedAndTheOthersCountAsIfTheyWere() {
        try (SroSandbox sandbox = SroSandbox.create(new SimpleKmodPlugin())) {
            sandbox.nodes().create("canary", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/canary", "true"));
            sandbox.nodes().create("other", NodeProfile.of(OsRelease.RHEL_9));
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(with("{proveOn: {example.com/canary: \"true\"}}"));

            assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod")))
                    .as(() -> sandbox.state("simple-kmod"))
                    .isTrue();
            assertThat(hasPod(sandbox, "canary", "simple-kmod-validation")).isTrue();
            assertThat(hasPod(sandbox, "other", "simple-kmod-validation")).isFalse();
            assertThat(hasPod(sandbox, "other", "simple-kmod-driver-container")).isTrue();
            assertThat(sandbox.nodes()
                            .get("other")
                            .at("/metadata/labels/sro.dev~1capability-simple-kmod")
                            .asText())
                    .isEqualTo("ready");
        }
    }
}
