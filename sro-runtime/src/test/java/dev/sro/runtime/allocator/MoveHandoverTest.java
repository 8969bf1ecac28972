package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.allocation.PodDemand;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.slicing.Spread;
import dev.sro.runtime.allocator.MakeRoom.Mode;
import dev.sro.runtime.allocator.MoveBook.Failed;
import dev.sro.runtime.allocator.MoveBook.Moved;
import dev.sro.runtime.allocator.MoveBook.Plan;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who leads next, or beside another, has what was written down of moves for the truth. */
class MoveHandoverTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final Moved AT_NOON = new Moved(NOON.toString(), "a/b", "uid", "set");

    private static ClaimAllocator allocator(AllocatorWorld world) {
        return world.allocator(
                world.cluster.newClient("allocator"),
                new AllocatorOptions(
                        DraOptions.DRIVER,
                        false,
                        new MakeRoom(Mode.EVICT, Duration.ofMinutes(1), 10),
                        Optional.empty()),
                () -> true);
    }

    /** Two GPUs, half of each taken, one of them by a pod that may move; one waits that needs all of a GPU. */
    private static Pod halves(AllocatorWorld world) {
        world.create("filler", "t1-4g-20gb");
        ControlledPods.create(
                world,
                "half",
                AllocatorObjects.byTemplate(AllocatorObjects.pod(NAMESPACE, "half"), "t1-3g-20gb")
                        .editMetadata()
                        .addToAnnotations(MovablePods.MOVABLE, "true")
                        .endMetadata());
        world.rounds(2);
        world.create("other", "t1-4g-20gb");
        world.rounds(1);
        world.delete("filler");
        world.rounds(2);
        world.create("whole", "t1-7g-40gb");
        return ControlledPods.of(world, "half").get(0);
    }

    /** Trials are answered, so that there are plans. */
    private static void evictionsFail(AllocatorWorld world) {
        world.cluster
                .faults()
                .rule()
                .when(request -> request.path().endsWith("/eviction")
                        && !new String(Objects.requireNonNullElse(request.body(), new byte[0]), StandardCharsets.UTF_8)
                                .contains("\"All\""))
                .internalError();
    }

    private static MoveBook book(AllocatorWorld world) {
        Lease lease = world.client
                .leases()
                .inNamespace(NAMESPACE)
                .withName(AllocatorWorld.LEASE)
                .get();
        return world.client
                .getKubernetesSerialization()
                .unmarshal(lease.getMetadata().getAnnotations().get(MoveLedger.MOVES), MoveBook.class);
    }

    private static boolean isThere(AllocatorWorld world, Pod pod) {
        return ControlledPods.of(world, "half").stream()
                .anyMatch(each ->
                        each.getMetadata().getUid().equals(pod.getMetadata().getUid()));
    }

    @Test
    void whoLeadsAfterTheTimeOfAPlanSaysThatItFailed() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            ClaimAllocator first = allocator(world);
            evictionsFail(world);
            Pod half = halves(world);
            world.rounds(20);
            assertThat(book(world).plan()).isPresent();
            world.kill(first);
            world.cluster.advance(Duration.ofMinutes(20));

            ClaimAllocator second = allocator(world);
            world.rounds(4);

            assertThat(ControlledPods.told(world, "SlicesNotMoved")).hasSize(1);
            assertThat(book(world).plan()).isEmpty();
            assertThat(isThere(world, half)).isTrue();
            assertThat(second.fleet().kept(KeptRooms.owner(half.getMetadata().getUid())))
                    .isEmpty();
        }
    }

    @Test
    void whomMovesDidNotHelpWaitsTenMinutesWhoeverLeads() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            ClaimAllocator first = allocator(world);
            evictionsFail(world);
            Pod half = halves(world);
            world.rounds(160);
            assertThat(ControlledPods.told(world, "SlicesNotMoved")).hasSize(1);
            world.cluster.faults().clear();
            world.kill(first);

            allocator(world);
            world.rounds(60);
            assertThat(isThere(world, half)).as("five minutes later").isTrue();
            world.rounds(90);
            assertThat(isThere(world, half)).as("more than ten minutes later").isFalse();
            assertThat(world.runs("whole")).isTrue();
        }
    }

    @Test
    void thatAnEvictionWasTriedAgainIsWrittenDownAgain() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            allocator(world);
            evictionsFail(world);
            halves(world);
            world.rounds(20);
            Moved before = book(world).moved().get(0);
            String until = book(world).plan().map(Plan::until).orElse("");
            world.rounds(20);

            assertThat(book(world).moved()).singleElement().satisfies(now -> {
                assertThat(now.uid()).isEqualTo(before.uid());
                assertThat(now.when()).isAfter(before.when().plusSeconds(60));
            });
            assertThat(book(world).plan().map(Plan::until))
                    .as("it gets no more time by that")
                    .contains(until);
        }
    }

    @Test
    void aPlanThatAnotherReplicaHasEndedIsDropped() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            ClaimAllocator allocator = allocator(world);
            evictionsFail(world);
            Pod half = halves(world);
            world.rounds(20);
            assertThat(allocator.fleet().kept(KeptRooms.owner(half.getMetadata().getUid())))
                    .isNotEmpty();
            MoveBook book = book(world);
            new MoveLedger(world.client, () -> true, NAMESPACE, AllocatorWorld.LEASE)
                    .read()
                    .ifPresent(entry -> new MoveLedger(world.client, () -> true, NAMESPACE, AllocatorWorld.LEASE)
                            .write(
                                    entry,
                                    book.without()
                                            .with(new Failed(
                                                    world.cluster
                                                            .clock()
                                                            .instant()
                                                            .toString(),
                                                    book.plan()
                                                            .orElseThrow()
                                                            .room()
                                                            .uid()))));
            world.cluster.faults().clear();
            world.rounds(30);

            assertThat(isThere(world, half)).isTrue();
            assertThat(allocator.fleet().kept(KeptRooms.owner(half.getMetadata().getUid())))
                    .isEmpty();
            assertThat(ControlledPods.told(world, "SlicesNotMoved"))
                    .as("the other one says it")
                    .isEmpty();
        }
    }

    @Test
    void anHourIsOverWhenItIsOverByEachClock() {
        MoveBook book = new MoveBook(List.of(AT_NOON), List.of(), List.of(new Failed(NOON.toString(), "room")));
        Instant one = NOON.plus(Duration.ofHours(1));

        assertThat(book.at(one.plusSeconds(59)).isFull(1)).isTrue();
        assertThat(book.at(one.plusSeconds(60)).isFull(1)).isFalse();
        assertThat(book.at(NOON.plus(Duration.ofMinutes(9))).failed("room")).isTrue();
        assertThat(book.at(NOON.plus(Duration.ofMinutes(10))).failed("room")).isFalse();
    }

    @Test
    void plansOfEarlierVersionsAreForOnePod() {
        KubernetesSerialization json = new KubernetesSerialization();
        MoveBook.Step room = new MoveBook.Step(
                "uid", new PodDemand("uid", "a/b", List.of(), List.of(), Spread.ANYWHERE, List.of("n")), "", List.of());
        Plan plan = new Plan(room, List.of(), List.of(), NOON.toString());
        String text = json.asJson(MoveBook.EMPTY.with(plan));
        String before = text.replaceFirst("\"others\":\\[\\],", "");
        assertThat(before).isNotEqualTo(text);

        MoveBook book = json.unmarshal(before, MoveBook.class).checked();

        assertThat(book.plan()).contains(plan);
        assertThat(plan.name()).isEqualTo("pod a/b");
        assertThat(plan.owner()).isEqualTo(KeptRooms.owner("uid"));
    }

    @Test
    void booksOfEarlierVersionsAreRead() {
        MoveBook book = new KubernetesSerialization()
                .unmarshal(
                        "{\"moved\": [{\"at\": \"" + NOON
                                + "\", \"pod\": \"a/b\", \"uid\": \"uid\", \"controller\": \"set\"}], \"plans\": []}",
                        MoveBook.class)
                .checked();

        assertThat(book).isEqualTo(new MoveBook(List.of(AT_NOON), List.of(), List.of()));
    }
}
