package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.gang;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.RoomPlan;
import dev.sro.core.dra.DraOptions;
import dev.sro.runtime.allocator.MakeRoom.Mode;
import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pods that may move do so where a gang waits that has no room as a whole, on whatever number of nodes. */
class MakeRoomGangTest {
    private static final String HALF = "t1-3g-20gb";
    private static final String MORE = "t1-4g-20gb";

    private static ClaimAllocator allocator(AllocatorWorld world, Mode mode) {
        return allocator(world, mode, Optional.empty());
    }

    private static ClaimAllocator allocator(AllocatorWorld world, Mode mode, Optional<Duration> hold) {
        return world.allocator(
                world.cluster.newClient("allocator"),
                new AllocatorOptions(DraOptions.DRIVER, false, new MakeRoom(mode, Duration.ofMinutes(1), 10), hold),
                () -> true);
    }

    private static void replicas(AllocatorWorld world, String name, long grace, boolean movable) {
        PodBuilder pod = byTemplate(AllocatorObjects.pod(NAMESPACE, name), HALF)
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

    /** Four GPUs on four nodes, half of each taken: two by pods of controllers, two by bare ones. */
    private static void halves(AllocatorWorld world, long grace, boolean movable) {
        for (String number : List.of("0", "1")) {
            world.create("filler" + number, MORE);
            replicas(world, "half" + number, grace, movable);
        }
        for (String number : List.of("0", "1")) {
            world.create("other" + number, MORE);
            world.rounds(1);
        }
        world.delete("filler0");
        world.delete("filler1");
        world.rounds(2);
        assertThat(Set.of(node(world, "half0"), node(world, "half1"), world.nodeOf("other0"), world.nodeOf("other1")))
                .hasSize(4);
    }

    private static String node(AllocatorWorld world, String set) {
        return AllocationMarks.node(ControlledPods.of(world, set).get(0));
    }

    private static String uid(AllocatorWorld world, String set) {
        return ControlledPods.of(world, set).get(0).getMetadata().getUid();
    }

    /** Two pods, each of which needs all of a GPU. */
    private static void train(AllocatorWorld world) {
        for (String name : List.of("train0", "train1")) {
            world.create(gang(byTemplate(AllocatorObjects.pod(NAMESPACE, name), "t1-7g-40gb"), "train", 2));
        }
    }

    private static void untilOneIsEnding(AllocatorWorld world) {
        for (int i = 0; i < 20 && told(world, "SlicesMoved").isEmpty(); i++) {
            world.rounds(1);
        }
        assertThat(told(world, "SlicesMoved")).hasSize(1);
    }

    private static List<String> told(AllocatorWorld world, String reason) {
        return ControlledPods.told(world, reason).stream().map(Event::getNote).toList();
    }

    @Test
    void roomIsMadeOnAllNodesOfAGang() {
        try (AllocatorWorld world = new AllocatorWorld(4, 1)) {
            ClaimAllocator allocator = allocator(world, Mode.EVICT);
            halves(world, 1, true);
            train(world);
            world.rounds(30);

            assertThat(world.runs("train0")).isTrue();
            assertThat(world.runs("train1")).isTrue();
            assertThat(Set.of(node(world, "half0"), node(world, "half1")))
                    .isEqualTo(Set.of(world.nodeOf("other0"), world.nodeOf("other1")));
            assertThat(told(world, "SlicesMoving"))
                    .singleElement()
                    .asString()
                    .startsWith("moving 2 slices makes room on nodes ")
                    .contains(" (proved: fewer do not): pod default/half")
                    .contains(", then pod default/half");
            assertThat(told(world, "SlicesMoved"))
                    .hasSize(2)
                    .allSatisfy(note -> assertThat(note)
                            .contains(" make room for gang default/train; the pod in its place gets others on node "));
            assertThat(allocator.moves().moves()).isEqualTo(2);
            assertThat(allocator.moves().plans(MoveCounts.Outcome.DONE)).isEqualTo(1);
            assertThat(allocator.fleet().kept(KeptRooms.owner("default/train"))).isEmpty();
            assertThat(world.twice()).isEmpty();
            assertThat(world.refused).isEmpty();
        }
    }

    @Test
    void whatIsHeldForAGangIsNotInItsOwnWay() {
        try (AllocatorWorld world = new AllocatorWorld(4, 1)) {
            ClaimAllocator allocator = allocator(world, Mode.EVICT, Optional.of(Duration.ofSeconds(10)));
            halves(world, 1, true);
            train(world);
            world.rounds(6);
            assertThat(told(world, "SlicesHeld")).isNotEmpty();
            world.rounds(24);

            assertThat(told(world, "SlicesMoved")).hasSize(2);
            assertThat(world.runs("train0")).isTrue();
            assertThat(world.runs("train1")).isTrue();
            assertThat(allocator.fleet().kept(KeptRooms.owner("default/train"))).isEmpty();
        }
    }

    @Test
    void itIsSaidHowFarItIsProvedThatTheFewestMove() {
        assertThat(RoomPlanner.proof(new RoomPlan(List.of(), List.of(), 1, 1))).isEmpty();
        assertThat(RoomPlanner.proof(new RoomPlan(List.of(), List.of(), 4, 4))).isEqualTo(" (proved: fewer do not)");
        assertThat(RoomPlanner.proof(new RoomPlan(List.of(), List.of(), 4, 2)))
                .isEqualTo(" (proved: 2 have to at least; whether fewer than 4 do is not known)");
        assertThat(RoomPlanner.proof(new RoomPlan(List.of(), List.of(), 4, 1))).isEmpty();
    }

    @Test
    void aReportMovesNobody() {
        try (AllocatorWorld world = new AllocatorWorld(4, 1)) {
            allocator(world, Mode.REPORT);
            halves(world, 1, true);
            String before = uid(world, "half0");
            train(world);
            world.rounds(30);

            assertThat(uid(world, "half0")).isEqualTo(before);
            assertThat(told(world, "SlicesMovable"))
                    .singleElement()
                    .asString()
                    .startsWith("moving 2 slices makes room on nodes ");
            assertThat(world.runs("train0")).isFalse();
        }
    }

    @Test
    void whoWasNotAllowedToMoveIsNamed() {
        try (AllocatorWorld world = new AllocatorWorld(4, 1)) {
            allocator(world, Mode.EVICT);
            halves(world, 1, false);
            train(world);
            world.rounds(30);

            assertThat(told(world, "SlicesMovable"))
                    .singleElement()
                    .asString()
                    .startsWith("moving 2 slices would make room on nodes ")
                    .contains(" (proved: fewer do not), but the owners of pods default/half");
            assertThat(told(world, "SlicesMoved")).isEmpty();
        }
    }

    @Test
    void nobodyMovesWhereABudgetKeepsOneOfThem() {
        try (AllocatorWorld world = new AllocatorWorld(4, 1)) {
            allocator(world, Mode.EVICT);
            ControlledPods.budget(world, "half1");
            halves(world, 1, true);
            String before = uid(world, "half0");
            train(world);
            world.rounds(30);

            assertThat(uid(world, "half0")).isEqualTo(before);
            assertThat(told(world, "SlicesMoved")).isEmpty();
            assertThat(told(world, "SlicesMovable")).singleElement().asString().contains(" may not be evicted now");
        }
    }

    @Test
    void nobodyTakesTheRoomOfAGangInBetweenNotEvenAfterAChangeOfLeaders() {
        try (AllocatorWorld world = new AllocatorWorld(4, 1)) {
            world.simulation().behaviors().add(Behavior.ignoresTermination().workload("half0"));
            world.simulation().behaviors().add(Behavior.ignoresTermination().workload("half1"));
            ClaimAllocator first = allocator(world, Mode.EVICT);
            halves(world, 40, true);
            train(world);
            untilOneIsEnding(world);

            world.kill(first);
            ClaimAllocator second = allocator(world, Mode.EVICT);
            world.create("small", "t1-1g-5gb");
            world.rounds(3);
            assertThat(world.runs("small")).as("all that is free is kept").isFalse();
            world.rounds(40);

            assertThat(world.runs("train0")).isTrue();
            assertThat(world.runs("train1")).isTrue();
            assertThat(second.moves().plans(MoveCounts.Outcome.DONE)).isEqualTo(1);
            assertThat(second.moves().moves())
                    .as("the other one was evicted before")
                    .isEqualTo(1);
            assertThat(world.twice()).isEmpty();
        }
    }

    @Test
    void theRestStaysWhereOneOfTheGangIsGone() {
        try (AllocatorWorld world = new AllocatorWorld(4, 1)) {
            world.simulation().behaviors().add(Behavior.ignoresTermination().workload("half0"));
            world.simulation().behaviors().add(Behavior.ignoresTermination().workload("half1"));
            ClaimAllocator allocator = allocator(world, Mode.EVICT);
            halves(world, 40, true);
            train(world);
            untilOneIsEnding(world);

            world.delete("train1");
            world.rounds(30);

            assertThat(told(world, "SlicesNotMoved"))
                    .containsExactly("pod default/train1 of the gang that waited is gone");
            assertThat(told(world, "SlicesMoved")).hasSize(1);
            assertThat(allocator.fleet().kept(KeptRooms.owner("default/train"))).isEmpty();
        }
    }

    @Test
    void nobodyMovesForAGangWithAPodOfLowerPriority() {
        try (AllocatorWorld world = new AllocatorWorld(4, 1)) {
            allocator(world, Mode.EVICT);
            halves(world, 1, true);
            world.client
                    .resource(new PriorityClassBuilder()
                            .withNewMetadata()
                            .withName("low")
                            .endMetadata()
                            .withValue(-1)
                            .build())
                    .create();
            world.create(gang(byTemplate(AllocatorObjects.pod(NAMESPACE, "train0"), "t1-7g-40gb"), "train", 2));
            world.create(gang(byTemplate(AllocatorObjects.pod(NAMESPACE, "train1"), "t1-7g-40gb"), "train", 2)
                    .editSpec()
                    .withPriorityClassName("low")
                    .endSpec());
            world.rounds(30);

            assertThat(told(world, "SlicesMoved")).isEmpty();
            assertThat(told(world, "SlicesMovable"))
                    .singleElement()
                    .asString()
                    .startsWith("no moves that make room were found: pod default/half")
                    .contains(" stays: its priority is higher; pod default/half");
        }
    }
}
