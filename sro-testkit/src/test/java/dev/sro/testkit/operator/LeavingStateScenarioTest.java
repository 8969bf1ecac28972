package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** A validation that takes the node's only device gives it back; operands that are not wanted on a node hold up nothing there. */
class LeavingStateScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(20);
    private static final String LABEL = "/metadata/labels/specialresource.openshift.io~1state-card-2000";
    private static final NodeProfile NODE = NodeProfile.of(OsRelease.RHEL_9).withResource("vendor.example/card", "1");

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: card}
        spec: {namespace: card, plugin: {name: card}}
        """;

    /** A driver, and a validation that asks for the device. */
    private static final class CardPlugin implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("card")
                    .version("1")
                    .vendor("Vendor")
                    .addOperandResources("daemonsets.apps")
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(
                    state("1000-driver", "").build(),
                    state("2000-validation", "resources: {limits: {vendor.example/card: \"1\"}}")
                            .reach(Reach.ownBarrier().leavingWhenReady())
                            .build());
        }

        private static State.Builder state(String id, String more) {
            return State.builder()
                    .id(id)
                    .reach(Reach.nodeByNode())
                    .putNodes("vendor.example/deploy", "true")
                    .addManifests(ManifestTemplate.text("x.yaml", """
                        apiVersion: apps/v1
                        kind: DaemonSet
                        metadata: {name: s%1$s}
                        spec:
                          selector: {matchLabels: {app: s%1$s}}
                          template:
                            metadata: {labels: {app: s%1$s}}
                            spec:
                              containers:
                              - name: main
                                image: registry.example/card:1
                                %2$s
                        """.formatted(id.substring(0, 4), more)));
        }
    }

    private static List<String> pods(SroSandbox sandbox, String node) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .filter(pod -> pod.at("/spec/nodeName").asText().equals(node))
                .map(pod -> pod.at("/metadata/labels/app").asText())
                .sorted()
                .toList();
    }

    @Test
    void itLeavesTheNodeComesBackAfterARebootAndNodesItIsNotForAreReady() {
        try (SroSandbox sandbox = SroSandbox.create(new CardPlugin())) {
            sandbox.nodes().create("one", NODE.withLabel("vendor.example/deploy", "true"));
            sandbox.nodes().create("other", NODE);
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(RESOURCE);

            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("card")))
                    .as(() -> sandbox.state("card"))
                    .isTrue();
            sandbox.run(Duration.ofMinutes(5));
            assertThat(pods(sandbox, "one")).containsExactly("s1000");
            assertThat(pods(sandbox, "other")).isEmpty();
            assertThat(sandbox.nodes().get("one").at(LABEL).asText()).isEqualTo("Ready");
            assertThat(sandbox.isReady("card")).isTrue();

            sandbox.cluster().recording().start();
            sandbox.run(Duration.ofHours(1));
            assertThat(sandbox.cluster()
                            .recording()
                            .entries(entry -> entry.userAgent().equals("sro")))
                    .as("it is at rest")
                    .allMatch(entry -> entry.verb().equals("watch"));

            sandbox.nodes().reboot("one");
            assertThat(sandbox.runUntil(LONG, () -> pods(sandbox, "one").contains("s2000")))
                    .as("it is proved anew")
                    .isTrue();
            assertThat(sandbox.runUntil(
                            LONG, () -> pods(sandbox, "one").equals(List.of("s1000")) && sandbox.isReady("card")))
                    .as(() -> sandbox.state("card"))
                    .isTrue();
        }
    }

    @Test
    void itStaysOnANodeOnWhichAStateBeforeFailsAndDoesNotComeAndGo() {
        try (SroSandbox sandbox = SroSandbox.create(new CardPlugin())) {
            sandbox.nodes().create("one", NODE.withLabel("vendor.example/deploy", "true"));
            sandbox.nodes().create("other", NODE.withLabel("vendor.example/deploy", "true"));
            sandbox.simulation()
                    .behaviors()
                    .add(Behavior.neverReady().node("one").workload("*s1000*"));
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(RESOURCE);
            sandbox.run(Duration.ofMinutes(10));
            assertThat(pods(sandbox, "one")).containsExactly("s1000", "s2000");
            assertThat(pods(sandbox, "other")).containsExactly("s1000");

            sandbox.cluster().recording().start();
            sandbox.run(Duration.ofMinutes(30));
            assertThat(sandbox.cluster()
                            .recording()
                            .entries(entry -> entry.userAgent().equals("sro")))
                    .as("it is at rest")
                    .allMatch(entry -> entry.verb().equals("watch"));

            sandbox.simulation().behaviors().clear();
            sandbox.simulation().restartContainers("card", pod(sandbox, "one", "s1000"), "");
            assertThat(sandbox.runUntil(
                            LONG, () -> pods(sandbox, "one").equals(List.of("s1000")) && sandbox.isReady("card")))
                    .as(() -> sandbox.state("card"))
                    .isTrue();
        }
    }

    private static String pod(SroSandbox sandbox, String node, String app) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .filter(pod -> pod.at("/spec/nodeName").asText().equals(node)
                        && pod.at("/metadata/labels/app").asText().equals(app))
                .map(pod -> pod.at("/metadata/name").asText())
                .findFirst()
                .orElseThrow();
    }
}
