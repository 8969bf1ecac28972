package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Pods of higher priority get slices of those of lower priority, where that is asked for. */
class SlicePreemptionTest {
    private static AllocatorWorld world(int nodes, boolean preempts) {
        AllocatorWorld world = new AllocatorWorld(nodes, 1);
        for (int value : List.of(10, 100, 1000)) {
            world.client
                    .resource(new PriorityClassBuilder()
                            .withNewMetadata()
                            .withName("p" + value)
                            .endMetadata()
                            .withValue(value)
                            .build())
                    .create();
        }
        world.allocator(world.cluster.newClient("allocator"), preempts, () -> true);
        return world;
    }

    private static PodBuilder pod(String name, int priority, String... templates) {
        return byTemplate(AllocatorObjects.pod(NAMESPACE, name), templates)
                .editMetadata()
                .addToLabels("name", name)
                .endMetadata()
                .editSpec()
                .withPriorityClassName("p" + priority)
                .endSpec();
    }

    @Test
    void theFewestOfLowestPriorityEnd() {
        try (AllocatorWorld world = world(2, true)) {
            world.create(pod("dear", 100, "t1-4g-20gb"));
            world.create(pod("cheap", 10, "t1-3g-20gb"));
            world.create(pod("whole", 100, "t1-7g-40gb"));
            world.rounds(1);
            assertThat(world.allocated()).hasSize(3);

            world.create(pod("high", 1000, "t1-2g-10gb"));
            world.rounds(4);

            assertThat(world.runs("high")).isTrue();
            assertThat(world.runs("dear")).isTrue();
            assertThat(world.runs("whole")).isTrue();
            assertThat(world.pod("cheap")).isNull();
            assertThat(world.client
                            .resources(Event.class)
                            .inNamespace(NAMESPACE)
                            .list()
                            .getItems())
                    .filteredOn(event -> "SlicesPreempted".equals(event.getReason()))
                    .singleElement()
                    .satisfies(event -> assertThat(event.getNote())
                            .contains("are for pod default/high, which has a higher priority"));
            assertThat(world.refused).isEmpty();
        }
    }

    @Test
    void nobodyEndsForThoseOfEqualPriorityNorForWhoWouldHaveNoRoomAllTheSame() {
        try (AllocatorWorld world = world(1, true)) {
            world.create(pod("first", 100, "t1-4g-20gb"));
            world.create(pod("equal", 100, "t1-7g-40gb"));
            world.client
                    .resource(new PriorityClassBuilder()
                            .withNewMetadata()
                            .withName("p5000")
                            .endMetadata()
                            .withValue(5000)
                            .withPreemptionPolicy("Never")
                            .build())
                    .create();
            world.create(pod("polite", 5000, "t1-7g-40gb"));
            world.create(pod("impossible", 1000, "t2-7g-40gb"));
            world.rounds(3);

            assertThat(world.runs("first")).isTrue();
            assertThat(world.allocated()).hasSize(1);
        }
    }

    @Test
    void whatWasTriedTakesNoCpu() {
        try (AllocatorWorld world = world(1, true)) {
            Quantity all = Objects.requireNonNull(world.client
                    .nodes()
                    .withName("n0")
                    .get()
                    .getStatus()
                    .getAllocatable()
                    .get("cpu"));
            long cpu = all.getNumericalAmount().longValue();
            for (int i = 0; i < 7; i++) {
                world.create(pod("low" + i, 10, "t1-1g-5gb"));
            }
            world.rounds(1);
            world.create(pod("high", 1000, "t1-1g-5gb")
                    .editSpec()
                    .editContainer(0)
                    .editResources()
                    .addToRequests("cpu", new Quantity(cpu * 600 + "m"))
                    .endResources()
                    .endContainer()
                    .endSpec());
            world.rounds(4);

            assertThat(world.runs("high")).isTrue();
            assertThat(world.allocated()).as("one of seven ended").hasSize(7);
        }
    }

    @Test
    void nobodyEndsUnlessThatIsAskedFor() {
        try (AllocatorWorld world = world(1, false)) {
            world.create(pod("low", 10, "t1-7g-40gb"));
            world.create(pod("high", 1000, "t1-7g-40gb"));
            world.rounds(3);

            assertThat(world.runs("low")).isTrue();
        }
    }

    @Test
    void whoHasABudgetStays() {
        try (AllocatorWorld world = world(2, true)) {
            ControlledPods.budget(world, "kept");
            world.create(pod("kept", 10, "t1-7g-40gb"));
            world.create(pod("other", 100, "t1-7g-40gb"));
            world.rounds(2);
            world.create(pod("high", 1000, "t1-7g-40gb"));
            world.rounds(4);

            assertThat(world.runs("kept")).isTrue();
            assertThat(world.runs("high")).isTrue();
            assertThat(world.pod("other")).isNull();
        }
    }

    /** The next pod of who ended first comes before the last one has ended, and would have what was made free. */
    @Test
    void whoWaitsForSeveralToEndHasTheRoomOfAllOfThem() {
        try (AllocatorWorld world = world(1, true)) {
            world.simulation().behaviors().add(Behavior.ignoresTermination().workload("slow"));
            replicas(world, "quick", "t1-4g-20gb");
            replicas(world, "slow", "t1-3g-20gb");
            world.rounds(2);
            assertThat(world.allocated()).hasSize(2);

            world.create(pod("high", 1000, "t1-7g-40gb"));
            world.rounds(14);

            assertThat(world.runs("high")).isTrue();
            assertThat(world.client
                            .resources(Event.class)
                            .inNamespace(NAMESPACE)
                            .list()
                            .getItems())
                    .filteredOn(event -> "SlicesPreempted".equals(event.getReason()))
                    .as("each ended once")
                    .hasSize(2);
        }
    }

    private static void replicas(AllocatorWorld world, String name, String template) {
        PodBuilder pod = pod(name, 10, template)
                .editSpec()
                .withTerminationGracePeriodSeconds(30L)
                .endSpec();
        ControlledPods.create(world, name, pod);
    }

    private static PodBuilder member(String gang, int number, int priority, String template) {
        return AllocatorObjects.gang(pod(gang + "-" + number, priority, template), gang, 2);
    }

    @Test
    void aGangHasOthersEndOnAllItsNodesOrOnNone() {
        try (AllocatorWorld world = world(2, true)) {
            world.create(pod("first", 10, "t1-7g-40gb"));
            ControlledPods.budget(world, "first");
            world.create(pod("second", 10, "t1-7g-40gb"));
            world.rounds(2);
            world.create(member("train", 0, 1000, "t1-7g-40gb"));
            world.create(member("train", 1, 1000, "t1-7g-40gb"));
            world.rounds(4);
            assertThat(world.runs("first")).isTrue();
            assertThat(world.runs("second")).as("its end alone would not help").isTrue();

            world.client
                    .resources(PodDisruptionBudget.class)
                    .inNamespace(NAMESPACE)
                    .delete();
            world.rounds(4);

            assertThat(world.pod("first")).isNull();
            assertThat(world.pod("second")).isNull();
            assertThat(world.runs("train-0")).isTrue();
            assertThat(world.runs("train-1")).isTrue();
            assertThat(world.refused).isEmpty();
        }
    }

    @Test
    void aGangEndsAsAWhole() {
        try (AllocatorWorld world = world(2, true)) {
            world.create(member("train", 0, 10, "t1-7g-40gb"));
            world.create(member("train", 1, 10, "t1-7g-40gb"));
            world.rounds(2);
            assertThat(world.runs("train-0")).isTrue();
            world.create(pod("high", 1000, "t1-7g-40gb"));
            world.rounds(4);

            assertThat(world.runs("high")).isTrue();
            assertThat(world.pod("train-0")).isNull();
            assertThat(world.pod("train-1")).isNull();
        }
    }

    @Test
    void aGangStaysWhereTheEndOfOnePodOfEqualPriorityWillDo() {
        try (AllocatorWorld world = world(3, true)) {
            world.create(member("train", 0, 10, "t1-7g-40gb"));
            world.create(member("train", 1, 10, "t1-7g-40gb"));
            world.create(pod("single", 10, "t1-7g-40gb"));
            world.rounds(2);
            world.create(pod("high", 1000, "t1-7g-40gb"));
            world.rounds(4);

            assertThat(world.runs("high")).isTrue();
            assertThat(world.pod("single")).isNull();
            assertThat(world.runs("train-0")).isTrue();
            assertThat(world.runs("train-1")).isTrue();
        }
    }

    /** The next pods of those who end come at once. */
    @Test
    void theRoomOfAGangIsKeptForIt() {
        try (AllocatorWorld world = world(2, true)) {
            world.simulation().behaviors().add(Behavior.ignoresTermination().workload("slow"));
            replicas(world, "quick", "t1-7g-40gb");
            replicas(world, "slow", "t1-7g-40gb");
            world.rounds(2);
            assertThat(world.allocated()).hasSize(2);
            world.create(member("train", 0, 1000, "t1-7g-40gb"));
            world.create(member("train", 1, 1000, "t1-4g-20gb"));
            world.rounds(14);

            assertThat(world.runs("train-0")).isTrue();
            assertThat(world.runs("train-1")).isTrue();
            assertThat(world.client
                            .resources(Event.class)
                            .inNamespace(NAMESPACE)
                            .list()
                            .getItems())
                    .filteredOn(event -> "SlicesPreempted".equals(event.getReason()))
                    .as("each ended once")
                    .hasSize(2)
                    .allSatisfy(event -> assertThat(event.getNote())
                            .contains("are for gang default/train, which has a higher priority"));
        }
    }

    /** One reason for waiting does not make the other one new each time. */
    @Test
    void whoWaitsIsToldThatABudgetKeepsOthers() {
        try (AllocatorWorld world = world(1, true)) {
            ControlledPods.budget(world, "kept");
            world.create(pod("kept", 10, "t1-7g-40gb"));
            world.rounds(2);
            world.create(pod("high", 1000, "t1-7g-40gb"));
            world.rounds(4);

            assertThat(world.runs("kept")).isTrue();
            assertThat(world.client
                            .resources(Event.class)
                            .inNamespace(NAMESPACE)
                            .list()
                            .getItems())
                    .filteredOn(event -> "SlicesWait".equals(event.getReason()))
                    .extracting(Event::getNote)
                    .anyMatch(note -> note.contains("; pod default/kept may not be evicted now"));
        }
    }
}
