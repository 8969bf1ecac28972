package dev.sro.testkit.operator;

import static dev.sro.testkit.operator.ValidationWorld.RESOURCE;
import static dev.sro.testkit.operator.ValidationWorld.byJob;
import static dev.sro.testkit.operator.ValidationWorld.condition;
import static dev.sro.testkit.operator.ValidationWorld.getReady;
import static dev.sro.testkit.operator.ValidationWorld.isLabelled;
import static dev.sro.testkit.operator.ValidationWorld.jobs;
import static dev.sro.testkit.operator.ValidationWorld.onNodes;
import static dev.sro.testkit.operator.ValidationWorld.pods;
import static dev.sro.testkit.operator.ValidationWorld.reason;
import static dev.sro.testkit.operator.ValidationWorld.sandbox;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.api.ValidationLimits;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.sim.Behavior;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Validations that run again after a time, and what nodes say of them. */
class RepetitionScenarioTest {

    @Test
    void nodesAreValidatedAgainAndKeepTheirReadinessUntilThatFails() {
        ValidationLimits.Builder limits = ValidationLimits.builder()
                .timeout(Duration.ofMinutes(5))
                .retries(0)
                .repeatEvery(Duration.ofHours(1))
                .nodeCondition("CardValidated");
        try (SroSandbox sandbox = sandbox(onNodes(limits))) {
            sandbox.apply(RESOURCE);
            getReady(sandbox);
            assertThat(condition(sandbox, "one").path("status").asText()).isEqualTo("True");
            String first = pods(sandbox, "one").get(0).at("/metadata/uid").asText();

            Set<String> states = new TreeSet<>();
            assertThat(sandbox.runUntil(Duration.ofMinutes(75), () -> {
                        states.add(sandbox.isReady("card") + " " + isLabelled(sandbox, "one"));
                        return pods(sandbox, "one").stream()
                                        .noneMatch(pod ->
                                                pod.at("/metadata/uid").asText().equals(first))
                                && pods(sandbox, "one").size() == 1
                                && pods(sandbox, "one")
                                        .get(0)
                                        .at("/status/phase")
                                        .asText()
                                        .equals("Running");
                    }))
                    .as("the pod came anew")
                    .isTrue();
            sandbox.run(Duration.ofMinutes(10));
            assertThat(states).containsExactly("true true");
            assertThat(sandbox.isReady("card")).isTrue();

            sandbox.simulation()
                    .behaviors()
                    .add(Behavior.crashLoop().node("one").workload("check").container("check"));
            sandbox.run(Duration.ofHours(2));
            assertThat(isLabelled(sandbox, "one")).isFalse();
            assertThat(isLabelled(sandbox, "other")).isTrue();
            assertThat(condition(sandbox, "one").path("status").asText()).isEqualTo("False");
            assertThat(condition(sandbox, "one").path("reason").asText()).isEqualTo("ValidationFailed");
            assertThat(condition(sandbox, "other").path("status").asText()).isEqualTo("True");

            sandbox.simulation().behaviors().clear();
            getReady(sandbox);
            assertThat(condition(sandbox, "one").path("status").asText()).isEqualTo("True");
            assertThat(Instant.parse(
                            condition(sandbox, "one").path("lastTransitionTime").asText()))
                    .as("the other node never was anything but valid")
                    .isAfter(Instant.parse(condition(sandbox, "other")
                            .path("lastTransitionTime")
                            .asText()));

            sandbox.client().resources(SpecialResource.class).withName("card").delete();
            sandbox.run(Duration.ofMinutes(10));
            assertThat(sandbox.get("card")).isEmpty();
            assertThat(condition(sandbox, "one").isMissingNode()).isTrue();
            assertThat(sandbox.nodes().get("one").path("metadata").toString()).doesNotContain("sro.dev/validated");
        }
    }

    @Test
    void whatWasDueWhileNoOperatorWasThereIsMadeUpForWithoutALossOfReadiness() {
        ValidationLimits.Builder limits =
                ValidationLimits.builder().timeout(Duration.ofMinutes(5)).repeatEvery(Duration.ofHours(1));
        try (SroSandbox sandbox = sandbox(onNodes(limits))) {
            sandbox.apply(RESOURCE);
            getReady(sandbox);
            List<JsonNode> before = pods(sandbox, "one");
            sandbox.kill();
            sandbox.run(Duration.ofHours(5));
            sandbox.start();
            Set<String> states = new TreeSet<>();
            sandbox.runUntil(Duration.ofMinutes(20), () -> {
                states.add(sandbox.isReady("card") + " " + isLabelled(sandbox, "one") + isLabelled(sandbox, "other"));
                return false;
            });

            assertThat(states).containsExactly("true truetrue");
            assertThat(pods(sandbox, "one").get(0).at("/metadata/uid"))
                    .isNotEqualTo(before.get(0).at("/metadata/uid"));
        }
    }

    @Test
    void aNodeThatCannotBeValidatedAgainIsNotReadyForEver() {
        ValidationLimits.Builder limits =
                ValidationLimits.builder().timeout(Duration.ofMinutes(5)).repeatEvery(Duration.ofHours(1));
        try (SroSandbox sandbox = sandbox(onNodes(limits))) {
            sandbox.apply(RESOURCE);
            getReady(sandbox);
            sandbox.simulation()
                    .behaviors()
                    .add(Behavior.neverReady().workload("check").node("one"));
            sandbox.run(Duration.ofMinutes(90));

            assertThat(isLabelled(sandbox, "one")).isFalse();
            assertThat(isLabelled(sandbox, "other")).isTrue();
            assertThat(reason(sandbox)).isEqualTo("ValidationTimedOut");
        }
    }

    @Test
    void aJobIsRunAgainBesideItsLastResultWhichCountsUntilThereIsAnother() {
        ValidationLimits.Builder limits =
                ValidationLimits.builder().timeout(Duration.ofMinutes(5)).repeatEvery(Duration.ofHours(1));
        try (SroSandbox sandbox = sandbox(byJob(limits.retries(0)))) {
            sandbox.apply(RESOURCE);
            getReady(sandbox);
            Set<String> seen = new TreeSet<>();
            Set<String> states = new TreeSet<>();
            boolean[] killed = {false};
            sandbox.runUntil(Duration.ofHours(3), () -> {
                List<String> names = jobs(sandbox);
                seen.addAll(names);
                states.add(sandbox.state("card"));
                if (names.size() == 2 && !killed[0]) {
                    // In the middle of a run: nothing about it is only in memory.
                    killed[0] = true;
                    sandbox.kill();
                    sandbox.start();
                }
                return false;
            });
            assertThat(killed[0]).isTrue();
            assertThat(seen).containsExactly("check", "check-again");
            assertThat(states).containsExactly("Ready: ");
            assertThat(jobs(sandbox)).hasSize(1);

            sandbox.simulation()
                    .behaviors()
                    .add(Behavior.fail(1, Duration.ofSeconds(1)).workload("check*"));
            sandbox.run(Duration.ofMinutes(65));
            assertThat(reason(sandbox)).isEqualTo("JobFailed");

            sandbox.simulation().behaviors().clear();
            sandbox.run(Duration.ofMinutes(65));
            assertThat(sandbox.isReady("card")).as(() -> sandbox.state("card")).isTrue();
        }
    }
}
