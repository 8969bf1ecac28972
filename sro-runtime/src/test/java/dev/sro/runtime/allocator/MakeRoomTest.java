package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraOptions;
import dev.sro.runtime.allocator.MakeRoom.Mode;
import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pods that may move do so where one waits that has no room in one piece. */
class MakeRoomTest {
    private static final String WHOLE = "t1-7g-40gb";
    private static final String HALF = "t1-3g-20gb";

    private static ClaimAllocator allocator(AllocatorWorld world, Mode mode, int perHour) {
        return world.allocator(
                world.cluster.newClient("allocator"),
                new AllocatorOptions(
                        DraOptions.DRIVER, false, new MakeRoom(mode, Duration.ofMinutes(1), perHour), Optional.empty()),
                () -> true);
    }

    /** A pod of a controller, which makes another one when it ends. */
    private static void replicas(AllocatorWorld world, String name, long grace, boolean movable, String template) {
        PodBuilder pod = byTemplate(AllocatorObjects.pod(NAMESPACE, name), template)
                .editSpec()
                .withTerminationGracePeriodSeconds(grace)
                .endSpec();
        if (movable) {
            pod = pod.editMetadata()
                    .addToAnnotations(MovablePods.MOVABLE, "true")
                    .endMetadata();
        }
        ControlledPods.create(world, name, pod);
        world.rounds(2);
    }

    private static Pod of(AllocatorWorld world, String name) {
        return ControlledPods.of(world, name).get(0);
    }

    /** Two GPUs, of each of which half is taken: one by a pod of a controller, the other by a bare one. */
    private static void halves(AllocatorWorld world, long grace, boolean movable) {
        world.create("filler", "t1-4g-20gb");
        replicas(world, "half", grace, movable, HALF);
        world.create("other", "t1-4g-20gb");
        world.rounds(1);
        assertThat(world.nodeOf("other")).isNotEqualTo(world.nodeOf("filler"));
        world.delete("filler");
        world.rounds(2);
    }

    private static List<String> told(AllocatorWorld world, String reason) {
        return ControlledPods.told(world, reason).stream().map(Event::getNote).toList();
    }

    @Test
    void aPodOfAControllerMovesWhereItsOwnerAllowsIt() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            ClaimAllocator allocator = allocator(world, Mode.EVICT, 10);
            halves(world, 1, true);
            Pod before = of(world, "half");
            world.create("whole", WHOLE);
            world.rounds(8);
            assertThat(of(world, "half").getMetadata().getUid())
                    .as("it has not waited long enough")
                    .isEqualTo(before.getMetadata().getUid());

            world.rounds(10);

            assertThat(world.runs("whole")).isTrue();
            Pod after = of(world, "half");
            assertThat(after.getMetadata().getUid())
                    .isNotEqualTo(before.getMetadata().getUid());
            assertThat(AllocationMarks.node(after)).isEqualTo(world.nodeOf("other"));
            assertThat(world.runs("other")).isTrue();
            assertThat(told(world, "SlicesMoving"))
                    .singleElement()
                    .asString()
                    .startsWith("moving 1 slice makes room on node " + world.nodeOf("whole") + ": pod default/half-");
            assertThat(told(world, "SlicesMoved")).hasSize(1);
            assertThat(told(world, "SlicesNotMoved")).isEmpty();
            assertThat(allocator.moves().moves()).isEqualTo(1);
            assertThat(allocator.moves().plans(MoveCounts.Outcome.DONE)).isEqualTo(1);
            assertThat(world.twice()).isEmpty();
            assertThat(world.refused).isEmpty();
        }
    }

    @Test
    void aReportMovesNobody() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            allocator(world, Mode.REPORT, 10);
            halves(world, 1, true);
            Pod before = of(world, "half");
            world.create("whole", WHOLE);
            world.rounds(30);

            assertThat(of(world, "half").getMetadata().getUid())
                    .isEqualTo(before.getMetadata().getUid());
            assertThat(told(world, "SlicesMovable"))
                    .as("once in ten minutes")
                    .singleElement()
                    .asString()
                    .startsWith("moving 1 slice makes room on node ");
            assertThat(world.client
                            .leases()
                            .inNamespace(NAMESPACE)
                            .withName(AllocatorWorld.LEASE)
                            .get()
                            .getMetadata()
                            .getAnnotations())
                    .isNullOrEmpty();
        }
    }

    @Test
    void whoWasNotAllowedToMoveStaysAndIsNamed() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            allocator(world, Mode.EVICT, 10);
            halves(world, 1, false);
            String half = of(world, "half").getMetadata().getName();
            world.create("whole", WHOLE);
            world.rounds(30);

            assertThat(of(world, "half").getMetadata().getName()).isEqualTo(half);
            assertThat(told(world, "SlicesMovable"))
                    .singleElement()
                    .asString()
                    .startsWith("moving 1 slice would make room on node ")
                    .endsWith("but the owner of pod default/" + half
                            + " has not allowed it: metadata.annotations[slices.sro.dev/movable] is not \"true\"");
        }
    }

    @Test
    void aBarePodStaysWhateverItSays() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            allocator(world, Mode.EVICT, 10);
            world.create(byTemplate(AllocatorObjects.pod(NAMESPACE, "bare"), HALF)
                    .editMetadata()
                    .addToAnnotations(MovablePods.MOVABLE, "true")
                    .endMetadata());
            world.create("whole", WHOLE);
            world.rounds(30);

            assertThat(world.runs("bare")).isTrue();
            assertThat(told(world, "SlicesMovable"))
                    .containsExactly("no moves that make room were found: pod default/bare stays: no controller would"
                            + " make it again");
        }
    }

    @Test
    void whoHasABudgetStays() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            allocator(world, Mode.EVICT, 10);
            ControlledPods.budget(world, "half");
            halves(world, 1, true);
            Pod before = of(world, "half");
            world.create("whole", WHOLE);
            world.rounds(30);

            assertThat(of(world, "half").getMetadata().getUid())
                    .isEqualTo(before.getMetadata().getUid());
            assertThat(told(world, "SlicesMovable"))
                    .singleElement()
                    .asString()
                    .contains("stays: pod default/" + before.getMetadata().getName() + " may not be evicted now");
        }
    }

    @Test
    void nobodyTakesTheRoomInBetweenNotEvenAfterAChangeOfLeaders() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            world.simulation().behaviors().add(Behavior.ignoresTermination().workload("half"));
            ClaimAllocator first = allocator(world, Mode.EVICT, 10);
            halves(world, 40, true);
            world.create("whole", WHOLE);
            world.rounds(14);
            assertThat(told(world, "SlicesMoved")).as("half is ending").hasSize(1);
            assertThat(world.runs("whole")).isFalse();

            world.kill(first);
            ClaimAllocator second = allocator(world, Mode.EVICT, 10);
            world.create("small", "t1-1g-5gb");
            world.rounds(3);
            assertThat(world.runs("small")).as("all that is free is kept").isFalse();
            world.rounds(12);

            assertThat(world.runs("whole")).isTrue();
            assertThat(AllocationMarks.node(of(world, "half"))).isEqualTo(world.nodeOf("other"));
            assertThat(second.moves().plans(MoveCounts.Outcome.DONE)).isEqualTo(1);
            assertThat(second.moves().moves()).as("it was evicted before").isZero();
        }
    }

    @Test
    void noMoreAreMovedInAnHourThanAllowedWhoeverLeads() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            ClaimAllocator first = allocator(world, Mode.EVICT, 1);
            halves(world, 1, true);
            world.create("whole", WHOLE);
            world.rounds(20);
            assertThat(world.runs("whole")).isTrue();
            world.delete("whole");
            world.create("filler", "t1-4g-20gb");
            replicas(world, "again", 1, true, HALF);
            world.delete("other");
            world.delete("filler");
            world.kill(first);
            ClaimAllocator second = allocator(world, Mode.EVICT, 1);
            world.rounds(2);
            Pod before = of(world, "again");
            world.create("next", WHOLE);
            world.rounds(40);

            assertThat(second.moves().moves()).isZero();
            assertThat(of(world, "again").getMetadata().getUid())
                    .isEqualTo(before.getMetadata().getUid());
            assertThat(told(world, "SlicesMovable"))
                    .singleElement()
                    .asString()
                    .endsWith("; 1 pods may be moved in an hour (--moves-per-hour), 1 were");

            world.cluster.advance(Duration.ofHours(1));
            world.rounds(10);
            assertThat(world.runs("next")).isTrue();
            assertThat(second.moves().moves()).isEqualTo(1);
        }
    }
}
