package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.placement.PodSlices;
import dev.sro.core.yaml.Json;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The extender on an API server in this JVM; the scheduler is played by the test. */
class SliceSchedulerTest {
    private static final String SLICE = "mig.das.com/1g.5gb";

    private final PlayedScheduler on = new PlayedScheduler();

    @AfterEach
    void close() {
        on.close();
    }

    @Test
    void aPodCostsTwoRequestsHoweverManyNodesThereAre() {
        on.fleet(25, 2);
        ExtenderEndpoints extender = on.scheduler(false).extender();
        Pod pod = on.world.create(SliceWorld.pod("default", "train", SLICE, 1));
        on.cluster.settle();
        on.cluster.recording().start();

        assertThat(on.schedule(extender, pod)).isEmpty();

        assertThat(on.cluster.recording().total()).as("a claim and the binding").isEqualTo(2);
        assertThat(on.now(pod).getSpec().getNodeName()).isNotEmpty();
        assertThat(on.world.claims()).singleElement().satisfies(claim -> {
            assertThat(claim.node()).isEqualTo(on.now(pod).getSpec().getNodeName());
            assertThat(claim.profile()).isEqualTo("1g.5gb");
            assertThat(claim.container()).isEqualTo("main");
            assertThat(claim.size()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void sixteenPodsInFlightOnEmptyNodesOfEightAreAllBoundAtOnce(int nodes) {
        on.fleet(nodes, 8);
        ExtenderEndpoints extender = on.scheduler(false).extender();
        Map<Pod, String> chosen = new LinkedHashMap<>();
        for (int i = 0; i < 16; i++) {
            chosen.put(on.world.create(SliceWorld.pod("default", "p" + i, SLICE, 1)), "");
        }
        // All are filtered and scored before the first is bound.
        chosen.replaceAll((pod, none) -> on.best(extender, pod));

        assertThat(chosen.values()).as("nobody is told that there is no room").doesNotContain("");
        chosen.forEach((pod, node) -> assertThat(on.bind(extender, pod, node)).isEmpty());
        assertThat(on.world.claims()).hasSize(16);
    }

    @Test
    void filterAndPrioritiseWriteNothing() {
        on.fleet(3, 1);
        ExtenderEndpoints extender = on.scheduler(false).extender();
        Pod pod = on.world.create(SliceWorld.pod("default", "train", "nvidia.com/mig-3g.20gb", 2));
        on.cluster.settle();
        on.cluster.recording().start();

        for (int i = 0; i < 5; i++) {
            on.ask(extender, ExtenderEndpoints.FILTER, on.arguments(pod));
            on.ask(extender, ExtenderEndpoints.PRIORITIZE, on.arguments(pod));
        }

        assertThat(on.cluster.recording().total()).isZero();
        assertThat(on.world.claims()).isEmpty();
    }

    @Test
    void podsThatAskForWholeGpusPass() {
        on.fleet(1, 1);
        ExtenderEndpoints extender = on.scheduler(false).extender();
        Pod pod = SliceWorld.pod("default", "whole", "nvidia.com/gpu", 1).build();

        assertThat(on.ask(extender, ExtenderEndpoints.FILTER, on.arguments(pod)).get("NodeNames"))
                .isEqualTo(on.nodes);
    }

    @Test
    void keysOfAnyCaseAndNodesAsObjectsAreRead() {
        on.fleet(1, 1);
        ExtenderEndpoints extender = on.scheduler(false).extender();
        Pod pod = SliceWorld.pod("default", "old", SLICE, 1).build();
        Map<String, Object> arguments = Map.of(
                "pod", Json.read(new KubernetesSerialization().asJson(pod)),
                "nodes",
                        Map.of(
                                "items",
                                List.of(
                                        Map.of("metadata", Map.of("name", "n0")),
                                        Map.of("metadata", Map.of("name", "n9")))));

        Map<String, Object> filtered = on.ask(extender, ExtenderEndpoints.FILTER, arguments);

        assertThat(filtered.get("NodeNames")).isEqualTo(List.of("n0"));
        assertThat(ValueTrees.map(filtered, "FailedAndUnresolvableNodes")).containsKey("n9");
    }

    @Test
    void anAnnotationThatMeansNothingIsSaid() {
        on.fleet(1, 1);
        ExtenderEndpoints extender = on.scheduler(false).extender();
        Pod pod = SliceWorld.pod("default", "odd", SLICE, 1)
                .editMetadata()
                .addToAnnotations("slices.sro.dev/spread", "close")
                .endMetadata()
                .build();

        assertThat(String.valueOf(on.ask(extender, ExtenderEndpoints.FILTER, on.arguments(pod))
                        .get("Error")))
                .contains("pod default/odd", "slices.sro.dev/spread", "write same-gpu or different-gpus");
    }

    @Test
    void whatCannotBeBoundGivesItsSlicesBack() {
        on.fleet(1, 1);
        SliceScheduler scheduler = on.scheduler(false);
        Pod pod = on.world.create(SliceWorld.pod("default", "train", "mig.das.com/7g.40gb", 1));
        on.cluster.settle();
        on.cluster.faults().rule().verbs("create").resources("pods").times(1).internalError();

        assertThat(on.schedule(scheduler.extender(), pod)).contains("was not bound to n0");

        on.cluster.settle();
        assertThat(on.world.claims()).isEmpty();
        assertThat(scheduler.fleet().held()).isEmpty();
        assertThat(on.schedule(scheduler.extender(), pod)).isEmpty();
    }

    @Test
    void aBindingWhoseAnswerWasLostHolds() {
        on.fleet(1, 1);
        SliceScheduler scheduler = on.scheduler(false);
        Pod pod = on.world.create(SliceWorld.pod("default", "train", "mig.das.com/7g.40gb", 1));
        on.cluster.settle();
        on.cluster.faults().rule().verbs("create").resources("pods").times(1).loseAnswer();

        assertThat(on.schedule(scheduler.extender(), pod)).isEmpty();
        assertThat(on.world.claims()).hasSize(1);
    }

    @Test
    void ofSeveralSlicesAllAreWrittenOrNone() {
        on.fleet(1, 1);
        SliceScheduler scheduler = on.scheduler(false);
        Pod pod = on.world.create(SliceWorld.pod("default", "train", SLICE, 3));
        on.cluster.settle();
        on.cluster
                .faults()
                .rule()
                .verbs("create")
                .resources("allocationclaims.inference.redhat.com")
                .after(2)
                .times(1)
                .unavailable();

        assertThat(on.schedule(scheduler.extender(), pod)).contains("was not written");

        on.cluster.settle();
        assertThat(on.world.claims()).isEmpty();
        assertThat(scheduler.fleet().held()).isEmpty();
    }

    @Test
    void aSliceThatIsFreedWakesThePodThatWaits() {
        on.fleet(1, 1);
        SliceScheduler scheduler = on.scheduler(false);
        Pod first = on.world.create(SliceWorld.pod("default", "first", "mig.das.com/7g.40gb", 1));
        Pod second = on.world.create(SliceWorld.pod("default", "second", "mig.das.com/7g.40gb", 1));
        on.cluster.settle();
        assertThat(on.schedule(scheduler.extender(), first)).isEmpty();
        assertThat(on.schedule(scheduler.extender(), second)).isEqualTo("unschedulable");
        on.unschedulable(second);
        assertThat(on.now(second).getMetadata().getAnnotations()).doesNotContainKey(PodWaker.ROOM);

        on.delete(first);

        assertThat(on.now(second).getMetadata().getAnnotations()).containsKey(PodWaker.ROOM);
        assertThat(on.schedule(scheduler.extender(), second)).isEmpty();
    }

    @Test
    void aClaimWhosePodWasNeverBoundIsDeletedAfterAWhile() {
        on.fleet(1, 1);
        SliceScheduler scheduler = on.scheduler(false);
        Pod pod = on.world.create(SliceWorld.pod("default", "train", SLICE, 1));
        on.cluster.settle();
        // The process ended between claim and binding.
        new ClaimWriter(on.client)
                .write(scheduler
                        .fleet()
                        .decide(PodSlices.of(pod).orElseThrow(), on.nodes, on.now.plus(Duration.ofMinutes(1)))
                        .slices());
        SliceScheduler fresh = on.scheduler(false);
        fresh.tick();
        on.now = on.now.plus(SliceScheduler.GRACE);
        fresh.tick();
        on.cluster.settle();

        assertThat(on.world.claims()).isEmpty();
        assertThat(fresh.fleet().held()).isEmpty();
    }
}
