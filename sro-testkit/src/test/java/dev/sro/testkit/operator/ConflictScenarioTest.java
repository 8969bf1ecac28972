package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ConflictRule;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Problem;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two special resources whose plugins cannot both be on a node. */
class ConflictScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(15);

    private static final String SHARED = "acme.example/shared";

    private static class Plain implements AcceleratorPlugin {
        private final String name;

        Plain(String name) {
            this.name = name;
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of(name, "1.0.0", "Acme");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            String manifest = """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: driver, annotations: {specialresource.openshift.io/kernel-affine: "true"}}
                spec:
                  selector: {matchLabels: {app: driver}}
                  template:
                    metadata: {labels: {app: driver}}
                    spec: {containers: [{name: driver, image: "registry.example/driver:1"}]}
                """;
            return StateGraph.chain(State.builder()
                    .id("1000-driver")
                    .reach(Reach.nodeByNode())
                    .addManifests(ManifestTemplate.text("driver.yaml", manifest))
                    .build());
        }
    }

    /** Nodes are shared only where a label says so. */
    private static final class Jealous extends Plain implements ConflictRule {
        Jealous(String name) {
            super(name);
        }

        @Override
        public Optional<Problem> conflict(RecipeContext mine, RecipeContext other, NodeFacts node) {
            if (node.labels().containsKey("acme.example/broken")) {
                throw new IllegalStateException("no idea");
            }
            return node.labels().containsKey(SHARED)
                    ? Optional.empty()
                    : Optional.of(Problem.user(
                            "AcmeConflict",
                            mine.name() + " shares node " + node.name() + " with " + other.name() + "; label it "
                                    + SHARED));
        }
    }

    private static String resource(String name, String plugin) {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec: {namespace: %1$s, plugin: {name: %2$s}}
            """.formatted(name, plugin);
    }

    private static SroSandbox sandbox(AcceleratorPlugin... plugins) {
        SroSandbox sandbox = SroSandbox.create(plugins);
        sandbox.nodes().create("alone", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.nodes().create("both", NodeProfile.of(OsRelease.RHEL_9).withLabel(SHARED, "yes"));
        sandbox.run(Duration.ofMinutes(1));
        return sandbox;
    }

    private static void older(SroSandbox sandbox, String yaml, String name) {
        sandbox.apply(yaml);
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady(name))).isTrue();
        sandbox.run(Duration.ofSeconds(10));
    }

    private static List<String> nodes(SroSandbox sandbox, String namespace) {
        return sandbox.client().pods().inNamespace(namespace).list().getItems().stream()
                .map(pod -> pod.getSpec().getNodeName())
                .sorted()
                .toList();
    }

    private static String reason(SroSandbox sandbox, String name) {
        SpecialResource resource = sandbox.get(name).orElseThrow();
        return Objects.requireNonNull(resource.getStatus()).getConditions().stream()
                .filter(condition -> condition.getType().equals("Degraded"))
                .map(condition -> condition.getReason() + " " + condition.getMessage())
                .findFirst()
                .orElse("");
    }

    @Test
    void theYoungerOneLeavesTheNodeAndServesItsOthers() {
        try (SroSandbox sandbox = sandbox(new Jealous("jealous"), new Plain("plain"))) {
            older(sandbox, resource("first", "plain"), "first");
            sandbox.apply(resource("second", "jealous"));
            sandbox.run(LONG);

            assertThat(nodes(sandbox, "first")).containsExactly("alone", "both");
            assertThat(nodes(sandbox, "second")).containsExactly("both");
            assertThat(reason(sandbox, "second"))
                    .contains("AcmeConflict", "second shares node alone with first; label it " + SHARED);
            assertThat(sandbox.isReady("first")).isTrue();

            sandbox.cluster().recording().start();
            sandbox.run(Duration.ofHours(1));
            assertThat(sandbox.cluster().recording().writes())
                    .noneMatch(entry -> entry.userAgent().equals("sro"));
        }
    }

    @Test
    void itServesTheNodeWhenTheReasonIsGone() {
        try (SroSandbox sandbox = sandbox(new Jealous("jealous"), new Plain("plain"))) {
            older(sandbox, resource("first", "plain"), "first");
            sandbox.apply(resource("second", "jealous"));
            sandbox.run(LONG);

            sandbox.client().nodes().withName("alone").edit(node -> {
                node.getMetadata().getLabels().put(SHARED, "yes");
                return node;
            });

            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("second"))).isTrue();
            assertThat(nodes(sandbox, "second")).containsExactly("alone", "both");
        }
    }

    @Test
    void theRuleOfTheOlderOneKeepsTheYoungerOff() {
        try (SroSandbox sandbox = sandbox(new Jealous("jealous"), new Plain("plain"))) {
            older(sandbox, resource("first", "jealous"), "first");
            sandbox.apply(resource("second", "plain"));
            sandbox.run(LONG);

            assertThat(nodes(sandbox, "second")).containsExactly("both");
            assertThat(reason(sandbox, "second")).contains("AcmeConflict", "first shares node alone with second");

            sandbox.client().resources(SpecialResource.class).withName("first").delete();
            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("second"))).isTrue();
            assertThat(nodes(sandbox, "second")).containsExactly("alone", "both");
        }
    }

    @Test
    void aRuleDecidesForTwoOfItsOwnPlugin() {
        try (SroSandbox sandbox = sandbox(new Jealous("jealous"))) {
            older(sandbox, resource("first", "jealous"), "first");
            sandbox.apply(resource("second", "jealous"));
            sandbox.run(LONG);

            assertThat(nodes(sandbox, "second")).containsExactly("both");
            assertThat(reason(sandbox, "second")).contains("AcmeConflict").doesNotContain("NodeTaken");
        }
    }

    @Test
    void aRuleThatFailsTakesNothingFromOthers() {
        try (SroSandbox sandbox = sandbox(new Jealous("jealous"), new Plain("plain"))) {
            older(sandbox, resource("first", "jealous"), "first");
            for (String name : List.of("alone", "both")) {
                sandbox.client().nodes().withName(name).edit(node -> {
                    node.getMetadata().getLabels().put("acme.example/broken", "yes");
                    return node;
                });
            }
            sandbox.apply(resource("second", "plain"));

            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("second"))).isTrue();
            sandbox.run(Duration.ofMinutes(1));
            assertThat(sandbox.isReady("first")).isTrue();
        }
    }
}
