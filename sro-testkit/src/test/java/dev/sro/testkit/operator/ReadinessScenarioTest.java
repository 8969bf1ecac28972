package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What recipes can wait for with an annotation: text in logs, and expressions. */
final class ReadinessScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final NodeProfile NODE = NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true");
    private static final String LABEL = "specialresource.openshift.io/state-probes-1000";

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: probes}
        spec:
          namespace: probes
          plugin: {name: probes}
          nodeSelector: {example.com/device: "true"}
        """;

    private static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: driver
          annotations: {specialresource.openshift.io/wait-for-logs: '^loaded \\d+ modules$|never'}
        spec:
          selector: {matchLabels: {app: driver}}
          template:
            metadata: {labels: {app: driver}}
            spec:
              containers:
              - {name: driver, image: registry.example/driver:1}
              - {name: sidecar, image: registry.example/sidecar:1}
        """.replace("^", "(?m)^");

    private static final String DEPLOYMENT = """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: tool
          annotations: {specialresrouce.openshift.io/wait-for-logs: 'sleep infinity'}
        spec:
          replicas: 2
          selector: {matchLabels: {app: tool}}
          template:
            metadata: {labels: {app: tool}}
            spec:
              containers: [{name: tool, image: registry.example/tool:1}]
        """;

    private static final String PODS = """
        apiVersion: v1
        kind: Pod
        metadata:
          name: once
          annotations: {specialresource.openshift.io/wait-for-logs: 'touch /tmp/ready'}
        spec:
          restartPolicy: Never
          containers: [{name: once, image: registry.example/once:1}]
        """;

    private @Nullable SroSandbox open;

    private record Recipe(String manifest, boolean perNode) implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("probes", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.builder()
                    .id("1000-driver")
                    .reach(perNode ? Reach.nodeByNode() : Reach.whole())
                    .addManifests(ManifestTemplate.text("a.yaml", manifest))
                    .build());
        }
    }

    private SroSandbox sandbox(String manifest, boolean perNode, String... nodes) {
        SroSandbox sandbox = SroSandbox.create(new Recipe(manifest, perNode));
        open = sandbox;
        Stream.of(nodes).forEach(node -> sandbox.nodes().create(node, NODE));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
        sandbox.apply(RESOURCE);
        return sandbox;
    }

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
        }
    }

    private static List<Recording.Entry> logReads(SroSandbox sandbox) {
        return sandbox.cluster()
                .recording()
                .entries(e -> e.userAgent().equals("sro") && e.resource().equals("pods/log"));
    }

    private static String pod(SroSandbox sandbox, String node) {
        return sandbox.client().pods().inNamespace("probes").list().getItems().stream()
                .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                .map(Pod::getMetadata)
                .map(metadata -> Objects.requireNonNull(metadata.getName()))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable String label(SroSandbox sandbox, String node) {
        return sandbox.client()
                .nodes()
                .withName(node)
                .get()
                .getMetadata()
                .getLabels()
                .get(LABEL);
    }

    @Test
    void nodesGetTheirLabelWhenTheLogOfTheirOwnPodMatches() {
        SroSandbox sandbox = sandbox(DRIVER, true, "a", "b");
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.state("probes")).contains("does not match");
        assertThat(logReads(sandbox))
                .as("two containers on two nodes, at ever longer intervals")
                .hasSizeBetween(4, 4 * 12);

        sandbox.simulation().logs().pod("probes/" + pod(sandbox, "a"), "x\nloaded 3 modules\ny\n");
        sandbox.run(Duration.ofMinutes(2));
        assertThat(label(sandbox, "a")).isEqualTo("Ready");
        assertThat(label(sandbox, "b")).isNull();

        sandbox.simulation().logs().pod("probes/" + pod(sandbox, "b"), "loaded 12 modules");
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("probes"))).isTrue();
        sandbox.run(Duration.ofSeconds(5));
        sandbox.cluster().recording().reset();
        sandbox.run(Duration.ofHours(1));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .isEmpty();
    }

    @Test
    void textThatHasLeftTheEndOfTheLogIsNotAskedForAgain() {
        SroSandbox sandbox = sandbox(DRIVER, true, "a");
        sandbox.simulation().logs().image("*", "loaded 3 modules\n");
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("probes"))).isTrue();
        sandbox.simulation().logs().image("*", "loaded 3 modules\n" + "noise\n".repeat(1_000));
        sandbox.run(Duration.ofSeconds(5));
        sandbox.cluster().recording().reset();

        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.isReady("probes")).isTrue();
        assertThat(label(sandbox, "a")).isEqualTo("Ready");
        assertThat(logReads(sandbox)).isEmpty();

        sandbox.simulation().restartContainers("probes", pod(sandbox, "a"), "");
        // Longer than it ran before: until then it counts as one that breaks again and again.
        sandbox.run(Duration.ofMinutes(15));
        assertThat(sandbox.state("probes"))
                .as("a container that is started again has another log")
                .contains("does not match");
        assertThat(label(sandbox, "a")).isNull();
    }

    @Test
    void aNodeThatIsReadyStaysItOverARestartWhileAnotherIsNot() {
        SroSandbox sandbox = sandbox(DRIVER, true, "a", "b");
        sandbox.run(Duration.ofMinutes(1));
        sandbox.simulation().logs().pod("probes/" + pod(sandbox, "a"), "loaded 3 modules\n");
        assertThat(sandbox.runUntil(LONG, () -> label(sandbox, "a") != null)).isTrue();
        sandbox.simulation().logs().pod("probes/" + pod(sandbox, "a"), "noise\n");
        sandbox.run(Duration.ofSeconds(5));
        sandbox.cluster().recording().reset();

        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(label(sandbox, "a")).isEqualTo("Ready");
        assertThat(label(sandbox, "b")).isNull();
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro")
                                && e.isWrite()
                                && e.resource().startsWith("nodes")))
                .isEmpty();
    }

    /** W7 of the original operator, with a longer end. */
    @Test
    void w7OnlyTheEndOfALogCounts() {
        SroSandbox sandbox = sandbox(DRIVER, true, "a");
        sandbox.simulation().logs().image("*driver*", "loaded 3 modules\n" + "noise\n".repeat(1_000));
        sandbox.run(Duration.ofMinutes(2));
        assertThat(sandbox.state("probes")).contains("does not match");
        sandbox.simulation().logs().image("*driver*", "noise\n".repeat(1_000) + "loaded 3 modules\n");
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("probes"))).isTrue();
    }

    @Test
    void podsOfADeploymentAreFoundThroughItsReplicaSets() {
        SroSandbox sandbox = sandbox(DEPLOYMENT, false, "a");
        sandbox.run(Duration.ofMinutes(2));
        assertThat(sandbox.state("probes")).contains("does not match");
        sandbox.simulation().logs().image("*tool*", "+ sleep infinity");
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("probes"))).isTrue();
    }

    @Test
    void aPodThatRanToItsEndHasALogToo() {
        SroSandbox sandbox = sandbox(PODS, false, "a");
        sandbox.simulation()
                .behaviors()
                .add(Behavior.succeedAfter(Duration.ofSeconds(3)).image("*once*"));
        sandbox.run(Duration.ofMinutes(2));
        assertThat(sandbox.state("probes")).contains("does not match");
        sandbox.simulation().logs().image("*once*", "+ touch /tmp/ready");
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("probes"))).isTrue();
    }

    @Test
    void aPatternThatIsNoneIsAProblemThatNamesObjectAndAnnotation() {
        SroSandbox sandbox = sandbox(DRIVER.replace("never", "("), true, "a");
        sandbox.run(Duration.ofMinutes(1));
        assertThat(sandbox.state("probes"))
                .contains(
                        "DaemonSet probes/driver: annotation specialresource.openshift.io/wait-for-logs is no regular");
        assertThat(logReads(sandbox)).isEmpty();
    }

    @Test
    void anExpressionSaysWhenAnObjectIsReady() {
        SroSandbox sandbox = sandbox("""
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: report
              annotations: {sro.dev/ready-when: "object.metadata.annotations['example.com/done'] == 'yes'"}
            """, false, "a");
        sandbox.run(Duration.ofMinutes(1));
        assertThat(sandbox.state("probes")).contains("has no value yet: no such key: example.com/done");
        sandbox.client().configMaps().inNamespace("probes").withName("report").edit(map -> {
            map.getMetadata().getAnnotations().put("example.com/done", "yes");
            return map;
        });
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("probes"))).isTrue();
    }

    @Test
    void anExpressionThatIsNoneIsAProblemThatSaysWhere() {
        SroSandbox sandbox = sandbox("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: report, annotations: {sro.dev/ready-when: "object.data.x = 'y'"}}
            """, false, "a");
        sandbox.run(Duration.ofMinutes(1));
        assertThat(sandbox.state("probes"))
                .contains("ConfigMap probes/report: annotation sro.dev/ready-when: character 15");
    }
}
