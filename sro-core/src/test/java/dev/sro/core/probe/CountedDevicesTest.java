package dev.sro.core.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.ReadinessRule;
import dev.sro.api.ReadinessRule.AllocatableAsCounted;
import dev.sro.core.client.cache.PodProjector;
import dev.sro.core.fixture.Nodes;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node offers against what a container on it counted. */
class CountedDevicesTest {

    private static final Problem SHORTAGE = Problem.platform("CardMissing", "boot the node");

    private static Outcome judged(ReadinessRule rule, String said, Map<String, String> offered) {
        return RuleOutcomes.judge(
                Nodes.with(Nodes.node("a", Nodes.K1), facts -> facts.putAllAllocatable(offered))
                        .facts(),
                List.of(rule),
                container -> container.equals("count") ? Optional.of(said) : Optional.empty(),
                Instant.EPOCH);
    }

    /** One resource that was counted, what is offered of it and of its shares, and what comes of it. */
    @ParameterizedTest
    @CsvSource({
        "false, 8, 8, 0, Ready",
        "false, 8, 9, 0, Ready",
        "false, 8, 7, 0, Failed",
        "false, 8, 0, 0, Waiting",
        "false, 8, 0, 8, Waiting",
        "false, 0, 0, 0, Ready",
        "true, 8, 32, 0, Ready",
        "true, 8, 28, 0, Failed",
        "true, 8, 7, 0, Failed",
        "true, 8, 0, 16, Ready",
        "true, 8, 0, 14, Failed",
        "true, 8, 0, 0, Waiting"
    })
    void aNodeOffersAllOrNothingYet(boolean shared, String counted, String whole, String shares, String outcome) {
        Outcome judged = judged(
                new AllocatableAsCounted("count", SHORTAGE, shared),
                "v.example/card=" + counted,
                Map.of("v.example/card", whole, "v.example/card.shared", shares));

        assertThat(judged.getClass().getSimpleName()).isEqualTo(outcome);
    }

    @Test
    void theProblemNamesNodeResourceBothNumbersAndWhatToDo() {
        Outcome judged = judged(
                ReadinessRule.allocatableAsCounted("count", SHORTAGE),
                "v.example/card=4\nsome words\nv.example/card=4\nv.example/other=1",
                Map.of("v.example/card", "7", "v.example/other", "1"));

        assertThat(judged)
                .isEqualTo(Outcome.failed(Problem.platform(
                        "CardMissing", "node a offers 7 of v.example/card, 8 are there by count: boot the node")));
    }

    @Test
    void whereNothingWasSaidItIsWaitedFor() {
        assertThat(judged(ReadinessRule.allocatableAsCounted("other", SHORTAGE), "", Map.of()))
                .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
                    assertThat(waiting.reason()).isEqualTo("DevicesNotCounted");
                    assertThat(waiting.on()).contains("node a", "container other");
                });
    }

    @Test
    void onlyCountsOfInitContainersThatEndedWellAreKeptOfAPod() {
        Pod pod = Serialization.unmarshal("""
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: n}
            status:
              initContainerStatuses:
              - {name: waits, state: {terminated: {exitCode: 0, message: "done waiting"}}}
              - {name: silent, state: {terminated: {exitCode: 0}}}
              - {name: broken, state: {terminated: {exitCode: 1, message: "v.example/card=3"}}}
              - {name: runs, state: {running: {}}}
              - {name: count, state: {terminated: {exitCode: 0, message: "v.example/card=8\\n"}}}
              containerStatuses:
              - {name: main, state: {terminated: {exitCode: 0, message: "v.example/card=9"}}}
            """, Pod.class);

        assertThat(PodProjector.project(pod).counted()).isEqualTo(Map.of("count", "v.example/card=8"));
    }
}
