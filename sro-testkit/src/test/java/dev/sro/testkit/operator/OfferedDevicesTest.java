package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.InvalidRecipeException;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OfferedDevicesTest {

    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final String NONE = "none";
    private static final String CARD = "acme.example/card";

    private static final String RESOURCE = """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec: {namespace: acme, plugin: {name: acme}, nodeSelector: {card: "true"}}
            """;

    private final AcceleratorPlugin plugin = new AcceleratorPlugin() {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("acme", "1.0.0", "Acme");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return OfferedDevicesTest.states("", ReadinessRule.allocatable(CARD, 2));
        }
    };

    private static StateGraph states(String annotation, ReadinessRule rule) {
        ManifestTemplate pods = ManifestTemplate.text("device-plugin.yaml", """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: device-plugin, annotations: {%s}}
                spec:
                  selector: {matchLabels: {app: device-plugin}}
                  template:
                    metadata: {labels: {app: device-plugin}}
                    spec: {containers: [{name: a, image: "registry.example/a:1"}]}
                """.formatted(annotation));
        return StateGraph.chain(State.builder()
                .id("1000-device-plugin")
                .addManifests(pods)
                .addReadiness(rule)
                .build());
    }

    private static NodeProfile node() {
        return NodeProfile.of(OsRelease.RHEL_9).withLabel("card", "true");
    }

    private static String offered(SroSandbox sandbox, String node) {
        Map<String, Quantity> allocatable =
                sandbox.client().nodes().withName(node).get().getStatus().getAllocatable();
        return allocatable.containsKey(CARD) ? allocatable.get(CARD).toString() : NONE;
    }

    @Test
    void aNodeOffersWhatItsDevicePluginWouldAndTakesItBack() {
        try (SroSandbox sandbox = SroSandbox.create(plugin).offerDevices()) {
            sandbox.nodes().create("a", node());
            sandbox.nodes().create("rich", node().withResource(CARD, "4"));
            sandbox.nodes().create("no-card", NodeProfile.of(OsRelease.RHEL_9));

            sandbox.apply(RESOURCE);
            sandbox.awaitReady("acme", LIMIT);

            assertThat(offered(sandbox, "a")).isEqualTo("2");
            assertThat(offered(sandbox, "rich")).as("what it has by itself").isEqualTo("4");
            assertThat(offered(sandbox, "no-card")).isEqualTo(NONE);

            sandbox.client().resource(sandbox.get("acme").orElseThrow()).delete();
            assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("acme").isEmpty()))
                    .isTrue();
            sandbox.settle();
            assertThat(offered(sandbox, "a")).isEqualTo("0");
            assertThat(offered(sandbox, "rich")).isEqualTo("4");
        }
    }

    @Test
    void aDevicePluginThatDoesNotRunOffersNothing() {
        try (SroSandbox sandbox = SroSandbox.create(plugin).offerDevices()) {
            sandbox.nodes().create("a", node());
            sandbox.nodes().create("b", node());
            sandbox.simulation().behaviors().add(Behavior.neverReady().node("b"));

            sandbox.apply(RESOURCE);

            assertThatThrownBy(() -> sandbox.awaitReady("acme", LIMIT))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("not Ready after PT30M: acme: Progressing: 1000-device-plugin: ")
                    .hasMessageContaining("\n  1000-device-plugin: waiting, ");
            assertThat(offered(sandbox, "a")).isEqualTo("2");
            assertThat(offered(sandbox, "b")).isEqualTo(NONE);
        }
    }

    /** Has nothing for Ubuntu. */
    private static final class Choosy implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("acme", "1.0.0", "Acme");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return OfferedDevicesTest.states(
                    "specialresource.openshift.io/kernel-affine: \"true\"", ReadinessRule.allocatable(CARD, 2));
        }

        @Override
        public Map<String, Object> variables(RecipeContext context, Pool pool) {
            if (pool.os().id().equals("ubuntu")) {
                throw new InvalidRecipeException("there is no driver for " + pool.os());
            }
            return Map.of();
        }
    }

    @Test
    void aPoolOfWhichNothingIsKnownHoldsUpNoOther() {
        try (SroSandbox sandbox = SroSandbox.create(new Choosy()).offerDevices()) {
            sandbox.nodes().create("a", node());
            sandbox.nodes().create("b", NodeProfile.of(OsRelease.UBUNTU_22).withLabel("card", "true"));

            sandbox.apply(RESOURCE);
            sandbox.run(Duration.ofMinutes(2));

            assertThat(sandbox.explain("acme")).contains("there is no driver for ubuntu22.04");
            assertThat(offered(sandbox, "a")).isEqualTo("2");
            assertThat(offered(sandbox, "b")).isEqualTo(NONE);
        }
    }

    /** Wants what Node Feature Discovery counted. */
    private static final class Counting implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("acme", "1.0.0", "Acme");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return OfferedDevicesTest.states("", ReadinessRule.allocatableAsLabelled("acme.example/", ".count"));
        }
    }

    @Test
    void aNodeOffersAsMuchAsItsLabelsCount() {
        try (SroSandbox sandbox = SroSandbox.create(new Counting()).offerDevices()) {
            sandbox.nodes().create("a", node().withLabel(CARD + ".count", "8"));
            sandbox.nodes().create("b", node());

            sandbox.apply(RESOURCE);
            sandbox.awaitReady("acme", LIMIT);

            assertThat(offered(sandbox, "a")).isEqualTo("8");
            assertThat(offered(sandbox, "b")).as("it has none").isEqualTo(NONE);
        }
    }

    @Test
    void withoutItNodesOfferWhatTheyHaveByThemselves() {
        try (SroSandbox sandbox = SroSandbox.create(plugin)) {
            sandbox.nodes().create("a", node());

            sandbox.apply(RESOURCE);

            assertThatThrownBy(() -> sandbox.awaitReady("acme", Duration.ofMinutes(1)))
                    .hasMessageContaining("node a offers 0 of acme.example/card, 2 are needed");
            assertThat(sandbox.explain("other")).isEqualTo("there is no special resource other");
        }
    }
}
