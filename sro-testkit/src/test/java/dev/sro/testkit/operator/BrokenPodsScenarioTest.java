package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods that cannot work, as a real node showed them: the status says at once what is wrong, in the words of what failed. */
final class BrokenPodsScenarioTest {

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: broken}
        spec:
          namespace: broken
          plugin: {name: broken}
          nodeSelector: {example.com/device: "true"}
        """;

    private static final String BUILD = """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: build}
        spec:
          backoffLimit: 2
          template:
            spec:
              restartPolicy: Never
              containers:
              - {name: build, image: "registry.example/build:1", terminationMessagePolicy: FallbackToLogsOnError}
        """;

    private static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: driver}
        spec:
          selector: {matchLabels: {app: driver}}
          template:
            metadata: {labels: {app: driver}}
            spec:
              containers:
              - {name: driver, image: "registry.example/driver:1", terminationMessagePolicy: FallbackToLogsOnError}
        """;

    private static final String COMPILER = """
        #9 1.1   CC [M]  /src/gpu.o
        #9 1.2 /src/gpu.c:7:3: error: 'struct device' has no member named 'frob'
        #9 1.3 make: *** [Makefile:3: all] Error 2
        error: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2
        """;

    private record Recipe(String manifest, boolean perNode) implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("broken", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(State.builder()
                    .id("1000-work")
                    .reach(perNode ? Reach.nodeByNode() : Reach.whole())
                    .addManifests(ManifestTemplate.text("a.yaml", manifest))
                    .build());
        }
    }

    private @Nullable SroSandbox open;

    private SroSandbox sandbox(String manifest, boolean perNode, Behavior behavior) {
        SroSandbox sandbox = SroSandbox.create(new Recipe(manifest, perNode));
        open = sandbox;
        sandbox.nodes().create("a", NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true"));
        sandbox.simulation().behaviors().add(behavior);
        sandbox.run(Duration.ofMinutes(1));
        sandbox.apply(RESOURCE);
        return sandbox;
    }

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
        }
    }

    private static Condition degraded(SroSandbox sandbox) {
        return Objects.requireNonNull(sandbox.get("broken").orElseThrow().getStatus()).getConditions().stream()
                .filter(condition -> condition.getType().equals("Degraded"))
                .findFirst()
                .orElseThrow();
    }

    private static List<Event> events(SroSandbox sandbox, String reason) {
        return sandbox.client().events().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> reason.equals(event.getReason()))
                .toList();
    }

    @Test
    void aBuildWhoseImageCannotBePulledIsDegraded() {
        SroSandbox sandbox = sandbox(
                BUILD,
                false,
                Behavior.pullError("manifest for registry.example/build:1 not found")
                        .image("*build:1"));
        sandbox.run(Duration.ofSeconds(81));

        assertThat(degraded(sandbox).getReason()).isEqualTo("ImagePullFailed");
        assertThat(degraded(sandbox).getStatus()).isEqualTo("True");
        assertThat(degraded(sandbox).getMessage())
                .contains("Job", "build", "manifest for registry.example/build:1 not found");
        assertThat(events(sandbox, "ImagePullFailed")).hasSize(1);
    }

    @Test
    void aBuildThatDoesNotCompileHasTheCompilersLine() {
        SroSandbox sandbox = sandbox(
                BUILD,
                false,
                Behavior.fail(1, Duration.ofSeconds(20)).image("*build:1").saying(COMPILER));
        sandbox.run(Duration.ofSeconds(30));

        assertThat(degraded(sandbox).getReason()).isEqualTo("JobAttemptFailed");
        assertThat(degraded(sandbox).getMessage())
                .contains("attempt 1 of 3 failed", "/src/gpu.c:7:3: error: 'struct device' has no member named 'frob'");
        assertThat(events(sandbox, "JobAttemptFailed")).hasSize(1);

        sandbox.run(Duration.ofMinutes(30));
        assertThat(degraded(sandbox).getReason()).isEqualTo("JobFailed");
        assertThat(degraded(sandbox).getMessage())
                .contains("/src/gpu.c:7:3: error: 'struct device' has no member named 'frob'", "BackoffLimitExceeded");
    }

    @Test
    void theLogIsReadOfAJobWhoseKubeletKeepsNothingOfIt() {
        SroSandbox sandbox = sandbox(
                BUILD.replace(", terminationMessagePolicy: FallbackToLogsOnError", ""),
                false,
                Behavior.fail(1, Duration.ofSeconds(20)).image("*build:1").saying(COMPILER));
        sandbox.run(Duration.ofMinutes(2));

        assertThat(degraded(sandbox).getMessage()).contains("/src/gpu.c:7:3: error: ");
    }

    @Test
    void aDriverThatCrashesSaysWhyAllTheTimeAndOnce() {
        SroSandbox sandbox = sandbox(
                DRIVER,
                true,
                Behavior.fail(1, Duration.ofSeconds(2)).image("*driver:1").saying("""
                                loading gpu
                                modprobe: FATAL: Module gpu not found in directory /lib/modules/6.12.1
                                """));
        List<String> reasons = new ArrayList<>();
        for (int second = 0; second < 900; second++) {
            sandbox.run(Duration.ofSeconds(1));
            String reason = degraded(sandbox).getReason();
            if (reasons.isEmpty() || !reasons.get(reasons.size() - 1).equals(reason)) {
                reasons.add(reason);
            }
        }

        assertThat(reasons)
                .as("it does not go to and fro with each restart")
                .endsWith("ContainerFailed")
                .hasSizeLessThan(3);
        assertThat(degraded(sandbox).getMessage())
                .contains("container driver: modprobe: FATAL: Module gpu not found in directory /lib/modules/6.12.1"
                        + " (exit code 1)")
                .doesNotContain("back-off");
        assertThat(events(sandbox, "ContainerFailed"))
                .hasSize(1)
                .allSatisfy(event -> assertThat(event.getSeries()).isNull());
    }
}
