package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.ReadinessRule;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A state of a plugin waits for a line in the log of one of its containers. */
class LogPatternScenarioTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: acme}
        spec: {namespace: acme, plugin: {name: acme}}
        """;

    private record Acme(boolean perNode, String kind, List<ReadinessRule> rules) implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("acme", "1.0.0", "Acme");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            String manifest = """
                apiVersion: apps/v1
                kind: %s
                metadata: {name: driver}
                spec:
                  selector: {matchLabels: {app: driver}}
                  template:
                    metadata:
                      labels: {app: driver}
                      annotations: {kubectl.kubernetes.io/default-container: sidecar}
                    spec:
                      containers:
                      - {name: driver, image: registry.example/driver:1}
                      - {name: sidecar, image: registry.example/sidecar:1}
                """.formatted(kind);
            return StateGraph.chain(State.builder()
                    .id("1000-driver")
                    .reach(perNode ? Reach.nodeByNode() : Reach.whole())
                    .addAllReadiness(rules)
                    .addManifests(ManifestTemplate.text("driver.yaml", manifest))
                    .build());
        }
    }

    private static SroSandbox sandbox(AcceleratorPlugin plugin) {
        SroSandbox sandbox = SroSandbox.create(plugin);
        sandbox.nodes().create("a", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.nodes().create("b", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.apply(RESOURCE);
        return sandbox;
    }

    private static long reads(SroSandbox sandbox) {
        return sandbox.cluster()
                .recording()
                .entries(entry -> entry.resource().equals("pods/log"))
                .size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"DaemonSet", "Deployment"})
    void theLogOfTheNamedContainerCountsAndNoOther(String kind) {
        ReadinessRule loaded = ReadinessRule.logPattern("driver", "^loaded \\d+ modules$");
        ReadinessRule linked = ReadinessRule.logPattern("driver", "link is up");
        try (SroSandbox sandbox = sandbox(new Acme(kind.equals("DaemonSet"), kind, List.of(loaded, linked)))) {
            // The one that kubectl looks at says it, and the other one says half of it.
            sandbox.simulation().logs().image("*sidecar*", "loaded 2 modules\nlink is up\n");
            sandbox.simulation().logs().image("*driver*", "loading\nloaded 2 modules\n");
            sandbox.run(LONG);

            assertThat(sandbox.isReady("acme")).isFalse();
            assertThat(sandbox.state("acme")).contains("container driver does not match (?m)link is up");

            sandbox.simulation().logs().image("*driver*", "loading\nloaded 2 modules\nlink is up\n");
            assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("acme"))).isTrue();
            SpecialResource resource = sandbox.get("acme").orElseThrow();
            assertThat(Objects.requireNonNull(resource.getStatus()).getConditions())
                    .noneMatch(condition -> condition.getType().equals("CapabilitiesNotActedOn"));

            sandbox.run(Duration.ofMinutes(5));
            sandbox.cluster().recording().start();
            sandbox.kill();
            sandbox.start();
            sandbox.run(Duration.ofHours(1));
            assertThat(reads(sandbox))
                    .as("a log is not read again, by no process")
                    .isZero();
            assertThat(sandbox.isReady("acme")).isTrue();
        }
    }

    @Test
    void aContainerThatNoWorkloadHasIsSaidBeforeAnythingIsWritten() {
        try (SroSandbox sandbox =
                sandbox(new Acme(true, "DaemonSet", List.of(ReadinessRule.logPattern("drivr", "loaded"))))) {
            sandbox.run(Duration.ofMinutes(1));

            assertThat(sandbox.state("acme"))
                    .contains("state 1000-driver: LogPattern for container drivr: no workload of the state");
            assertThat(sandbox.cluster().api().list(Gvr.DAEMONSETS)).isEmpty();
        }
    }

    @Test
    void aPatternThatIsNoneIsSaidBeforeAnythingIsWritten() {
        try (SroSandbox sandbox =
                sandbox(new Acme(true, "DaemonSet", List.of(ReadinessRule.logPattern("driver", "loaded ("))))) {
            sandbox.run(Duration.ofMinutes(1));

            assertThat(sandbox.state("acme"))
                    .contains("LogPattern for container driver is no regular expression of Go");
            assertThat(sandbox.cluster().api().list(Gvr.DAEMONSETS)).isEmpty();
        }
    }
}
