package dev.sro.core.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.KubeObject;
import dev.sro.core.yaml.Yaml;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class JobOutcomesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private static KubeObject job(String status) {
        return KubeObject.of(Yaml.documents(
                        "job.yaml",
                        "{apiVersion: batch/v1, kind: Job, metadata: {name: b, namespace: ns}, spec: {backoffLimit: 3},"
                                + " status: " + status + "}")
                .get(0));
    }

    private static PodFacts pod(String name, String phase, String waiting, String message) {
        return new PodFacts("ns", name, "u", "n", phase, false, false, "", waiting, message);
    }

    private static Outcome explain(KubeObject job, Function<PodFacts, String> logs, PodFacts... pods) {
        return JobOutcomes.explain(job, Readiness.judge(job, List.of(), NOW), List.of(pods), logs);
    }

    private static Problem problem(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) outcome).problem();
    }

    @Test
    void anImageThatCannotBePulledIsAProblemWhileKubernetesStillTries() {
        Problem problem =
                problem(explain(job("{active: 1}"), pod -> "", pod("b-1", "Pending", "ImagePullBackOff", "not found")));

        assertThat(problem.code()).isEqualTo("ImagePullFailed");
        assertThat(problem.owner()).isEqualTo(Problem.Owner.PLATFORM);
        assertThat(problem.message()).contains("b: pod ns/b-1 on node n: ImagePullBackOff: not found");
    }

    @Test
    void anAttemptThatFailedSaysWhatItsContainerSaid() {
        Problem problem = problem(explain(
                job("{failed: 2}"),
                pod -> "must not be read",
                pod("b-1", "Failed", "", "container build: x.c:1:1: error: y (exit code 1)"),
                pod("b-2", "Running", "", "")));

        assertThat(problem.code()).isEqualTo("JobAttemptFailed");
        assertThat(problem.owner()).isEqualTo(Problem.Owner.VENDOR);
        assertThat(problem.message())
                .contains(
                        "attempt 2 of 4 failed: container build: x.c:1:1: error: y (exit code 1); pod b-1 on node n;");
    }

    @Test
    void anAttemptThatTheJobHasNotCountedYetIsNotTakenForTheOneBefore() {
        Problem problem = problem(explain(
                job("{failed: 1}"),
                pod -> "",
                pod("b-1", "Failed", "", "container build: no such board (exit code 1)"),
                pod("b-2", "Failed", "", "container build: no such bus (exit code 1)")));

        assertThat(problem.message())
                .contains("attempt 1 of 4 failed: container build: no such board (exit code 1); pod b-1 on node n;");
    }

    @Test
    void theLogIsReadWhereTheKubeletKeptNothing() {
        Map<String, String> logs = Map.of("b-1", "starting\nlookup registry: no such host\n");
        Problem problem = problem(explain(
                job("{failed: 1}"),
                pod -> logs.getOrDefault(pod.name(), ""),
                pod("b-1", "Failed", "", "container build ended with exit code 1")));

        assertThat(problem.message())
                .contains("failed: lookup registry: no such host; container build ended with exit code 1; pod b-1 on"
                        + " node n;");
        assertThat(problem.owner())
                .as("nobody who wrote the recipe can help that")
                .isEqualTo(Problem.Owner.PLATFORM);
    }

    @Test
    void aJobThatFailedSaysTheCauseBeforeItsOwnReason() {
        Problem problem = problem(explain(
                job("{failed: 4, conditions: [{type: Failed, status: 'True', reason: BackoffLimitExceeded,"
                        + " message: limit}]}"),
                pod -> "",
                pod("b-1", "Failed", "", "container build ended with OOMKilled, exit code 137")));

        assertThat(problem.code()).isEqualTo("JobFailed");
        assertThat(problem.message())
                .contains(
                        "failed: container build ended with OOMKilled, exit code 137; pod b-1 on node n; ",
                        "BackoffLimitExceeded");
    }

    @Test
    void oneThatGetsOnWaits() {
        assertThat(explain(job("{active: 1}"), pod -> "", pod("b-1", "Pending", "ContainerCreating", "")))
                .isInstanceOf(Outcome.Waiting.class);
    }
}
