package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A driver without a readiness probe that runs for a while and breaks, again and again: Kubernetes calls its pod ready each time. */
class CrashLoopScenarioTest {

    private static final String STATE = "specialresource.openshift.io/state-kmod-1000";

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());
    private final List<String> changes = new ArrayList<>();

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void start() {
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
        sandbox.apply(KmodPlugin.RESOURCE);
    }

    private String conditions() {
        return sandbox.get("kmod")
                .map(resource -> resource.getStatus())
                .map(status -> status.getConditions().stream()
                        .filter(condition -> List.of("Ready", "Degraded").contains(condition.getType()))
                        .map(condition -> condition.getType() + "=" + condition.getStatus())
                        .sorted()
                        .toList()
                        .toString())
                .orElse("");
    }

    private void watch(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            sandbox.run(Duration.ofSeconds(1));
            String now = conditions();
            if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(now)) {
                changes.add(now);
            }
        }
    }

    @Test
    void itsStatusIsBrokenAllTheTimeAndReadyOnceItRuns() {
        start();
        assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("kmod")))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));

        sandbox.simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(45)).image("*kmod:*"));
        sandbox.client().pods().inNamespace("kmod").withLabel("app").delete();
        watch(Duration.ofHours(1));

        assertThat(changes)
                .as("once it is seen to break, nothing goes to and fro")
                .filteredOn(change -> change.contains("Ready=True"))
                .hasSizeLessThanOrEqualTo(2);
        assertThat(changes).hasSizeLessThanOrEqualTo(4);
        assertThat(changes.get(changes.size() - 1)).isEqualTo("[Degraded=True, Ready=False]");
        assertThat(sandbox.client().nodes().withName("one").get().getMetadata().getLabels())
                .doesNotContainKey(STATE);

        sandbox.simulation().behaviors().clear();
        assertThat(sandbox.runUntil(Duration.ofMinutes(20), () -> sandbox.isReady("kmod")))
                .as(conditions())
                .isTrue();
    }

    @Test
    void aDriverThatNeverBrokeIsReadyAtOnce() {
        start();
        sandbox.run(Duration.ofSeconds(1));
        boolean[] ran = new boolean[1];
        sandbox.runUntil(Duration.ofMinutes(10), () -> {
            ran[0] = sandbox.client().pods().inNamespace("kmod").withLabel("app").list().getItems().stream()
                    .anyMatch(pod -> pod.getMetadata().getName().contains("driver")
                            && pod.getStatus().getConditions().stream()
                                    .anyMatch(c -> c.getType().equals("Ready")
                                            && c.getStatus().equals("True")));
            return ran[0];
        });
        assertThat(ran[0]).isTrue();
        sandbox.run(Duration.ofSeconds(1));
        assertThat(sandbox.client().nodes().withName("one").get().getMetadata().getLabels())
                .containsEntry(STATE, "Ready");
    }
}
