package dev.sro.testkit.operator;

import static dev.sro.testkit.operator.ValidationWorld.LONG;
import static dev.sro.testkit.operator.ValidationWorld.RESOURCE;
import static dev.sro.testkit.operator.ValidationWorld.byJob;
import static dev.sro.testkit.operator.ValidationWorld.getReady;
import static dev.sro.testkit.operator.ValidationWorld.isAtRest;
import static dev.sro.testkit.operator.ValidationWorld.isLabelled;
import static dev.sro.testkit.operator.ValidationWorld.onNodes;
import static dev.sro.testkit.operator.ValidationWorld.pods;
import static dev.sro.testkit.operator.ValidationWorld.reason;
import static dev.sro.testkit.operator.ValidationWorld.sandbox;
import static dev.sro.testkit.operator.ValidationWorld.status;
import static dev.sro.testkit.operator.ValidationWorld.validation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ValidationLimits;
import dev.sro.api.resource.OutcomeSample;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.ValidationWorld.CardPlugin;
import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The limits of a state that validates: how long, and how often it is tried. */
class ValidationScenarioTest {

    @Test
    void aNodeOnWhichAValidationTakesTooLongHasFailedAndHoldsUpNoOther() {
        try (SroSandbox sandbox = sandbox(onNodes(ValidationLimits.builder().timeout(Duration.ofMinutes(10))))) {
            sandbox.simulation()
                    .behaviors()
                    .add(Behavior.neverReady().node("one").workload("check"));
            sandbox.apply(RESOURCE);

            assertThat(sandbox.runUntil(Duration.ofMinutes(9), () -> isLabelled(sandbox, "other")))
                    .isTrue();
            assertThat(reason(sandbox)).isEqualTo("PodStarting");
            sandbox.run(Duration.ofMinutes(11));

            assertThat(reason(sandbox)).isEqualTo("ValidationTimedOut");
            assertThat(status(sandbox).getSamples())
                    .filteredOn(sample -> "one".equals(sample.getNode()))
                    .extracting(OutcomeSample::getMessage)
                    .singleElement()
                    .asString()
                    .startsWith("2000-validation: pod card/check-")
                    .contains(" on node one did not validate within PT10M, since 20");
            assertThat(isLabelled(sandbox, "one")).isFalse();
            assertThat(isLabelled(sandbox, "other")).isTrue();
            isAtRest(sandbox, Duration.ofHours(2));

            sandbox.simulation().behaviors().clear();
            String pod = pods(sandbox, "one").get(0).at("/metadata/name").asText();
            sandbox.simulation().restartContainers("card", pod, "");
            getReady(sandbox);
        }
    }

    @Test
    void aTimeLimitDoesNotBeginAnewWithTheOperator() {
        try (SroSandbox sandbox = sandbox(onNodes(ValidationLimits.builder().timeout(Duration.ofMinutes(10))))) {
            sandbox.simulation().behaviors().add(Behavior.neverReady().workload("check"));
            sandbox.apply(RESOURCE);
            sandbox.run(Duration.ofMinutes(8));
            sandbox.kill();
            sandbox.run(Duration.ofMinutes(1));
            sandbox.start();
            sandbox.run(Duration.ofMinutes(2));

            assertThat(reason(sandbox)).isEqualTo("ValidationTimedOut");
        }
    }

    @Test
    void aFailureThatIsTriedAgainIsAWaitAndTheLastOneIsAFailure() {
        try (SroSandbox sandbox = sandbox(onNodes(ValidationLimits.builder().retries(2)))) {
            sandbox.simulation()
                    .behaviors()
                    .add(Behavior.crashLoop()
                            .workload("check")
                            .container("check")
                            .times(4));
            sandbox.apply(RESOURCE);
            Set<String> reasons = new TreeSet<>();
            sandbox.runUntil(LONG, () -> {
                sandbox.get("card").map(SpecialResource::getStatus).stream()
                        .flatMap(status -> status.getStates().stream())
                        .forEach(state -> reasons.add(String.valueOf(state.getReason())));
                return sandbox.isReady("card");
            });
            assertThat(sandbox.isReady("card")).as(() -> sandbox.state("card")).isTrue();
            assertThat(reasons).contains("ValidationRetried").doesNotContain("ValidationFailed", "ContainerFailed");

            sandbox.simulation().behaviors().add(Behavior.crashLoop().workload("check"));
            for (String node : List.of("one", "other")) {
                pods(sandbox, node)
                        .forEach(pod -> sandbox.client()
                                .pods()
                                .inNamespace("card")
                                .withName(pod.at("/metadata/name").asText())
                                .delete());
            }
            sandbox.run(LONG);
            assertThat(reason(sandbox)).isEqualTo("ValidationFailed");
            assertThat(String.valueOf(validation(sandbox).getMessage()))
                    .contains("0 of 2 nodes ready; 2000-validation: pod card/check-")
                    .contains("failed in 2 retries");
        }
    }

    @Test
    void kubernetesEndsAJobInTimeAndTriesItAsOftenAsTheLimitsSay() {
        ValidationLimits.Builder limits =
                ValidationLimits.builder().timeout(Duration.ofMinutes(10)).retries(1);
        try (SroSandbox sandbox = sandbox(byJob(limits))) {
            sandbox.simulation().behaviors().add(Behavior.runForever().workload("check"));
            sandbox.apply(RESOURCE);
            sandbox.run(Duration.ofMinutes(15));

            Job job = sandbox.client()
                    .batch()
                    .v1()
                    .jobs()
                    .inNamespace("card")
                    .withName("check")
                    .get();
            assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(600);
            assertThat(job.getSpec().getBackoffLimit()).isEqualTo(1);
            assertThat(reason(sandbox)).isEqualTo("ValidationTimedOut");
            assertThat(String.valueOf(validation(sandbox).getMessage()))
                    .startsWith("2000-validation: Job card/check did not validate within PT10M, since ");
            assertThat(pods(sandbox, "one")).isEmpty();
            isAtRest(sandbox, Duration.ofHours(2));
        }
    }

    @Test
    void aPodIsTriedByTheKubeletAndFailsWhenItsRetriesAreUsedUp() {
        String pod = """
            apiVersion: v1
            kind: Pod
            metadata: {name: check}
            spec:
              restartPolicy: Never
              containers: [{name: main, image: "registry.example/card:1"}]
            """;
        try (SroSandbox sandbox = sandbox(
                new CardPlugin(pod, false, ValidationLimits.builder().retries(1).build()))) {
            sandbox.simulation()
                    .behaviors()
                    .add(Behavior.fail(1, Duration.ofSeconds(1))
                            .workload("card")
                            .times(5));
            sandbox.apply(RESOURCE);
            assertThat(sandbox.runUntil(
                            LONG,
                            () -> sandbox.state("card")
                                    .startsWith("Errored: 2000-validation: Pod card/check failed, and failed in 1"
                                            + " retries: ")))
                    .as(() -> sandbox.state("card"))
                    .isTrue();
            assertThat(reason(sandbox)).isEqualTo("ValidationFailed");

            getReady(sandbox);
        }
    }
}
