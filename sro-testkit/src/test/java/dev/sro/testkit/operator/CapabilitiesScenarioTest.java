package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A network driver that comes before the GPU's on nodes that have both, declared by two plugins that do not know each other. */
final class CapabilitiesScenarioTest {

    private static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: "${operand}"}
        spec:
          selector: {matchLabels: {app: "${operand}"}}
          template:
            metadata: {labels: {app: "${operand}"}}
            spec:
              nodeSelector: {"example.com/${device}": "true"}
              containers: [{name: driver, image: "registry.example/${operand}:1"}]
        """;

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: %1$s}
        spec: {namespace: %1$s, plugin: {name: %1$s}}
        """;

    private static State.Builder driver(String id, String operand) {
        return State.builder()
                .id(id)
                .reach(Reach.nodeByNode())
                .putVariables("operand", operand)
                .putVariables("device", operand.equals("network") ? "network" : "gpu")
                .addManifests(ManifestTemplate.text("driver.yaml", DRIVER));
    }

    /** One state for each node that has the label. */
    private record Vendor(String name, List<State> states) implements AcceleratorPlugin, DeviceMatcher {
        Vendor(String name, State... states) {
            this(name, List.of(states));
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of(name, "1.0.0", "Vendor of " + name);
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(states);
        }

        @Override
        public Presence match(NodeFacts node, RecipeContext context) {
            return node.labels().containsKey("example.com/" + name) ? Presence.PRESENT : Presence.ABSENT;
        }
    }

    private static final AcceleratorPlugin NETWORK = new Vendor(
            "network",
            driver("1000-network", "network").addProvides("network-driver").build());

    private static final AcceleratorPlugin GPU = new Vendor(
            "gpu",
            driver("1000-gpu", "gpu").addAfterCapabilities("network-driver").build(),
            driver("2000-plugin", "plugin").build());

    private SroSandbox sandbox = SroSandbox.create(NETWORK, GPU);

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void node(String name, String... devices) {
        NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9);
        for (String device : devices) {
            profile = profile.withLabel("example.com/" + device, "true");
        }
        sandbox.nodes().create(name, profile);
    }

    private void apply(String name) {
        sandbox.apply(RESOURCE.formatted(name));
    }

    /** Nodes with a pod of this operand. */
    private List<String> nodesOf(String operand) {
        return List.copyOf(new TreeSet<>(
                sandbox.client().pods().inAnyNamespace().withLabel("app", operand).list().getItems().stream()
                        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                        .map((Pod pod) -> String.valueOf(pod.getSpec().getNodeName()))
                        .toList()));
    }

    private Condition condition(String name, String type) {
        return Objects.requireNonNull(sandbox.get(name).orElseThrow().getStatus()).getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private Map<String, String> labels(String node) {
        return sandbox.client().nodes().withName(node).get().getMetadata().getLabels();
    }

    private void allReady(String... names) {
        assertThat(sandbox.runUntil(
                        Duration.ofMinutes(20), () -> List.of(names).stream().allMatch(sandbox::isReady)))
                .as("all ready")
                .isTrue();
    }

    @Test
    void onANodeWithBothTheOneWaitsForTheOther() {
        node("both", "gpu", "network");
        node("gpu-only", "gpu");
        sandbox.simulation().behaviors().add(Behavior.neverReady().image("*network:1"));
        apply("gpu");
        apply("network");

        sandbox.run(Duration.ofMinutes(5));

        assertThat(nodesOf("network")).containsExactly("both");
        assertThat(nodesOf("gpu")).containsExactly("gpu-only");
        assertThat(nodesOf("plugin")).containsExactly("gpu-only");
        assertThat(condition("gpu", "Ready").getReason()).isEqualTo("CapabilityAwaited");
        assertThat(condition("gpu", "Ready").getMessage())
                .contains(
                        "capability network-driver, which state 1000-network of SpecialResource network brings to node"
                                + " both");

        sandbox.simulation().behaviors().clear();
        sandbox.client().pods().inNamespace("network").delete();
        allReady("gpu", "network");
        assertThat(nodesOf("gpu")).containsExactly("both", "gpu-only");
        assertThat(labels("both"))
                .containsEntry("sro.dev/capability-network-driver", "ready")
                .containsEntry("sro.dev/gate-gpu-1000", "Ready");
        assertThat(labels("gpu-only")).doesNotContainKey("sro.dev/capability-network-driver");
    }

    @Test
    void neverIsItThereFirst() {
        apply("gpu");
        apply("network");
        sandbox.run(Duration.ofMinutes(1));
        node("late", "gpu", "network");

        boolean[] early = new boolean[1];
        assertThat(sandbox.runUntil(Duration.ofMinutes(20), () -> {
                    early[0] |= nodesOf("gpu").contains("late")
                            && !labels("late").containsKey("sro.dev/capability-network-driver");
                    return sandbox.isReady("gpu") && nodesOf("gpu").contains("late");
                }))
                .isTrue();
        assertThat(early[0]).isFalse();
    }

    @Test
    void whoIsDeletedIsNotWaitedForAndNothingIsTornDownForIt() {
        node("both", "gpu", "network");
        apply("network");
        apply("gpu");
        allReady("gpu", "network");

        sandbox.client().resources(SpecialResource.class).withName("network").delete();
        boolean[] gone = new boolean[1];
        assertThat(sandbox.runUntil(Duration.ofMinutes(20), () -> {
                    gone[0] |= !nodesOf("gpu").contains("both");
                    return sandbox.get("network").isEmpty();
                }))
                .isTrue();
        sandbox.run(Duration.ofMinutes(2));

        assertThat(gone[0]).isFalse();
        assertThat(sandbox.isReady("gpu")).isTrue();
        assertThat(labels("both")).doesNotContainKey("sro.dev/capability-network-driver");
    }

    @Test
    void aProviderThatNeverComesUpIsLetGoByItsDeletion() {
        node("both", "gpu", "network");
        sandbox.simulation().behaviors().add(Behavior.neverReady().image("*network:1"));
        apply("network");
        apply("gpu");
        sandbox.run(Duration.ofMinutes(5));
        assertThat(nodesOf("gpu")).isEmpty();

        sandbox.client().resources(SpecialResource.class).withName("network").delete();

        allReady("gpu");
        assertThat(nodesOf("gpu")).containsExactly("both");
    }

    @Test
    void aDriverThatIsNotReadyAnyMoreTakesWhatBuildsUponItAlong() {
        node("both", "gpu", "network");
        apply("network");
        apply("gpu");
        allReady("gpu", "network");

        sandbox.simulation().behaviors().add(Behavior.neverReady().image("*network:1"));
        sandbox.client().pods().inNamespace("network").delete();

        assertThat(sandbox.runUntil(Duration.ofMinutes(5), () -> nodesOf("gpu").isEmpty()))
                .isTrue();
    }

    @Test
    void atRestItCostsNothingAndARestartChangesNothing() {
        node("both", "gpu", "network");
        apply("network");
        apply("gpu");
        allReady("gpu", "network");
        sandbox.run(Duration.ofMinutes(2));
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(2));
        sandbox.cluster().recording().start();

        sandbox.run(Duration.ofHours(1));

        assertThat(sandbox
                        .cluster()
                        .recording()
                        .entries(entry ->
                                entry.userAgent().equals("sro") && !entry.verb().equals("watch"))
                        .stream()
                        .map(Recording.Entry::toString))
                .isEmpty();
    }

    @Test
    void whoWaitForEachOtherDoNotAndAreTold() {
        sandbox.close();
        sandbox = SroSandbox.create(
                new Vendor(
                        "network",
                        driver("1000-network", "network")
                                .addProvides("network-driver")
                                .addAfterCapabilities("gpu-driver")
                                .build()),
                new Vendor(
                        "gpu",
                        driver("1000-gpu", "gpu")
                                .addAfterCapabilities("network-driver")
                                .build(),
                        driver("2000-check", "plugin").addProvides("gpu-driver").build()));
        node("both", "gpu", "network");
        apply("network");
        apply("gpu");

        allReady("gpu", "network");

        assertThat(condition("gpu", "Warning").getMessage())
                .contains("gpu", "network-driver", "SpecialResource network", "neither waits");
        assertThat(condition("network", "Warning").getMessage())
                .contains("network", "gpu-driver", "SpecialResource gpu", "neither waits");
    }
}
