package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorObjects.byTemplate;
import static dev.sro.runtime.allocator.AllocatorObjects.gang;
import static dev.sro.runtime.allocator.AllocatorObjects.names;
import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.DraOptions;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who has waited long enough is not passed by smaller pods for ever. */
class HeldRoomTest {
    private static ClaimAllocator allocator(AllocatorWorld world) {
        return world.allocator(
                world.cluster.newClient("allocator"),
                new AllocatorOptions(DraOptions.DRIVER, false, MakeRoom.NEVER, Optional.of(Duration.ofSeconds(30))),
                () -> true);
    }

    private static PodBuilder pod(String name, String template) {
        return byTemplate(AllocatorObjects.pod(NAMESPACE, name), template);
    }

    private static void create(AllocatorWorld world, String prefix, int count, String template) {
        names(prefix, count).forEach(name -> world.create(pod(name, template)));
    }

    private static void pair(AllocatorWorld world) {
        for (String name : List.of("train-0", "train-1")) {
            world.create(gang(pod(name, "t1-7g-40gb"), "train", 2));
        }
    }

    private static long running(AllocatorWorld world, String prefix, int count) {
        return names(prefix, count).stream().filter(world::runs).count();
    }

    private static List<String> notes(AllocatorWorld world, String reason) {
        return world.client.resources(Event.class).inNamespace(NAMESPACE).list().getItems().stream()
                .filter(event -> reason.equals(event.getReason()))
                .map(Event::getNote)
                .toList();
    }

    /** Two devices are full of small slices; whenever one ends, another one is waiting for its place. */
    @Test
    void aGangGetsTheDevicesOfThoseWhoEndAndSmallPodsWait() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            allocator(world);
            create(world, "old", 14, "t1-1g-5gb");
            world.rounds(1);
            assertThat(running(world, "old", 14)).isEqualTo(14);
            pair(world);
            world.rounds(8);
            create(world, "new", 14, "t1-1g-5gb");
            world.rounds(3);

            assertThat(notes(world, "SlicesHeld"))
                    .singleElement()
                    .asString()
                    .isEqualTo("room is held for it on nodes n0, n1 until 14 pods there have ended");
            assertThat(notes(world, "SlicesWait"))
                    .anyMatch(note -> note.contains("no room for 1g-5gb")
                            && note.contains("; room on nodes n0, n1 is held for gang default/train, which has waited"
                                    + " longer or has a higher priority"));
            for (String name : names("old", 14)) {
                world.delete(name);
                world.rounds(1);
            }

            assertThat(running(world, "train-", 2)).isEqualTo(2);
            assertThat(running(world, "new", 14)).isZero();
            assertThat(world.refused).isEmpty();

            world.delete("train-0");
            world.delete("train-1");
            world.rounds(2);
            assertThat(running(world, "new", 14)).isEqualTo(14);
        }
    }

    /** The same without it, so that the test above says something. */
    @Test
    void withoutItSmallPodsPassAGang() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            world.allocator();
            create(world, "old", 14, "t1-1g-5gb");
            world.rounds(1);
            pair(world);
            world.rounds(8);
            create(world, "new", 14, "t1-1g-5gb");
            for (String name : names("old", 14)) {
                world.delete(name);
                world.rounds(1);
            }

            assertThat(running(world, "train-", 2)).isZero();
            assertThat(running(world, "new", 14)).isEqualTo(14);
        }
    }

    @Test
    void whereFewestHaveToEnd() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            allocator(world);
            world.create(pod("one", "t1-7g-40gb"));
            create(world, "many", 7, "t1-1g-5gb");
            world.rounds(1);
            String node = world.nodeOf("one");
            world.create(pod("big", "t1-4g-20gb"));
            world.rounds(8);

            assertThat(notes(world, "SlicesHeld"))
                    .containsExactly("room is held for it on node " + node + " until one pod there has ended");
            create(world, "more", 2, "t1-1g-5gb");
            world.delete("one");
            world.rounds(2);
            assertThat(world.nodeOf("big")).isEqualTo(node);
            assertThat(running(world, "more", 2)).as("beside what is held").isEqualTo(2);
        }
    }

    @Test
    void nothingIsHeldBeforeTheTime() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            allocator(world);
            create(world, "old", 7, "t1-1g-5gb");
            world.rounds(1);
            world.create(pod("big", "t1-7g-40gb"));
            world.rounds(2);
            world.create(pod("next", "t1-1g-5gb"));
            world.delete("old0");
            world.rounds(1);

            assertThat(world.runs("next")).isTrue();
            assertThat(notes(world, "SlicesHeld")).isEmpty();
        }
    }

    @Test
    void whoHasAHigherPriorityTakesWhatIsHeld() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            allocator(world);
            world.client
                    .resource(new PriorityClassBuilder()
                            .withNewMetadata()
                            .withName("high")
                            .endMetadata()
                            .withValue(100)
                            .build())
                    .create();
            create(world, "old", 7, "t1-1g-5gb");
            world.rounds(1);
            world.create(pod("big", "t1-7g-40gb"));
            world.rounds(8);
            world.delete("old0");
            world.rounds(1);
            world.create(pod("equal", "t1-1g-5gb"));
            world.create(pod("urgent", "t1-1g-5gb")
                    .editSpec()
                    .withPriorityClassName("high")
                    .endSpec());
            world.rounds(1);

            assertThat(world.runs("urgent")).isTrue();
            assertThat(world.runs("equal")).isFalse();

            names("old", 7).forEach(world::delete);
            world.rounds(1);
            assertThat(world.runs("equal")).as("it is held again").isFalse();
            world.delete("urgent");
            world.rounds(1);
            assertThat(world.runs("big")).isTrue();
        }
    }

    @Test
    void theRoomOfWhoIsGoneIsForOthers() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            allocator(world);
            create(world, "old", 7, "t1-1g-5gb");
            world.rounds(1);
            world.create(pod("big", "t1-7g-40gb"));
            world.rounds(8);
            world.create(pod("next", "t1-1g-5gb"));
            world.delete("old0");
            world.rounds(1);
            assertThat(world.runs("next")).isFalse();

            world.delete("big");
            world.rounds(1);

            assertThat(world.runs("next")).isTrue();
        }
    }

    @Test
    void anotherNodeIsHeldWhereTheFirstIsNotToBeHadAnyMore() {
        try (AllocatorWorld world = new AllocatorWorld(2, 1)) {
            allocator(world);
            create(world, "old", 14, "t1-1g-5gb");
            world.rounds(1);
            world.create(pod("big", "t1-7g-40gb"));
            world.rounds(8);
            assertThat(notes(world, "SlicesHeld")).singleElement().asString().contains("on node n0 ");

            world.client.nodes().withName("n0").edit(node -> {
                node.getSpec().setUnschedulable(true);
                return node;
            });
            world.rounds(8);
            names("old", 14).stream()
                    .filter(name -> world.nodeOf(name).equals("n1"))
                    .toList()
                    .forEach(world::delete);
            world.rounds(2);

            assertThat(world.nodeOf("big")).isEqualTo("n1");
        }
    }

    @Test
    void whoLeadsNextHoldsItAgain() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            ClaimAllocator first = allocator(world);
            create(world, "old", 7, "t1-1g-5gb");
            world.rounds(1);
            world.create(pod("big", "t1-7g-40gb"));
            world.rounds(8);
            create(world, "new", 7, "t1-1g-5gb");
            world.delete("old0");
            world.rounds(1);
            world.kill(first);
            allocator(world);
            world.rounds(1);

            assertThat(running(world, "new", 7)).isZero();
            names("old", 7).forEach(world::delete);
            world.rounds(2);
            assertThat(world.runs("big")).isTrue();
        }
    }

    @Test
    void whoCanBeNowhereKeepsNobodyFromBeingNext() {
        try (AllocatorWorld world = new AllocatorWorld(1, 1)) {
            allocator(world);
            create(world, "old", 7, "t1-1g-5gb");
            world.rounds(1);
            world.create(pod("impossible", "t2-7g-40gb"));
            world.create(pod("big", "t1-7g-40gb"));
            world.rounds(8);
            world.create(pod("next", "t1-1g-5gb"));
            names("old", 7).forEach(world::delete);
            world.rounds(2);

            assertThat(notes(world, "SlicesHeld")).hasSize(1);
            assertThat(world.runs("big")).isTrue();
        }
    }
}
