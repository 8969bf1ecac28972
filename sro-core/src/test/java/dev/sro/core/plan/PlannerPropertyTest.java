package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.OsRelease;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** The planner against a model of a cluster: whatever it finds, it gets there, stays there, and takes nothing of others. */
class PlannerPropertyTest {

    private static final int DISTURBANCES = 6;

    @Provide
    Arbitrary<List<ObservedNode>> nodes() {
        Arbitrary<String> kernels = Arbitraries.of(Nodes.K1, Nodes.K2, "6.1.0+", "5.15.0-91-generic");
        Arbitrary<OsRelease> systems = Arbitraries.of(Nodes.RHCOS_84, new OsRelease("rhel", "8.4"), Nodes.UBUNTU_2204);
        return Combinators.combine(kernels, systems, Arbitraries.of(true, false))
                .as((kernel, os, nfd) ->
                        nfd ? Nodes.node("n", kernel, os, "amd64") : Nodes.bare("n", kernel, os, "amd64"))
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .map(PlannerPropertyTest::named);
    }

    private static List<ObservedNode> named(List<ObservedNode> nodes) {
        List<ObservedNode> result = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            String name = "n" + i;
            ObservedNode node = Nodes.with(nodes.get(i), facts -> facts.name(name));
            result.add(new ObservedNode(node.facts(), "uid-" + name, Map.of()));
        }
        return result;
    }

    private static World world(List<ObservedNode> nodes) {
        return new World(States.build(), States.driver(), States.check()).with(nodes.toArray(new ObservedNode[0]));
    }

    @Property(tries = 30)
    void convergesAndASecondPlanWritesNothing(@ForAll("nodes") List<ObservedNode> nodes) {
        World world = world(nodes);
        assertThat(world.settle().converged()).isTrue();
        assertThat(world.plan().writes()).isEmpty();
    }

    @Property(tries = 80)
    @Tag("slow")
    void convergesFromManyClusters(@ForAll("nodes") List<ObservedNode> nodes) {
        convergesAndASecondPlanWritesNothing(nodes);
    }

    @Property(tries = 30)
    void getsToTheSameObjectsWhateverHappenedBefore(@ForAll("nodes") List<ObservedNode> nodes, @ForAll Random random) {
        World calm = world(nodes);
        calm.settle();
        World world = world(nodes);
        for (int i = 0; i < DISTURBANCES; i++) {
            for (int steps = random.nextInt(6); steps > 0; steps--) {
                world.step();
                world.controllers();
            }
            disturb(world, nodes, random);
            world.now = world.now.plusSeconds(5);
        }
        world.with(restored(world, nodes));
        world.nodes.keySet().retainAll(nodes.stream().map(ObservedNode::name).toList());
        assertThat(world.settle().converged()).isTrue();
        assertThat(ours(world)).containsExactlyInAnyOrderElementsOf(ours(calm));
        assertThat(world.plan().writes()).isEmpty();
    }

    @Property(tries = 80)
    @Tag("slow")
    void getsToTheSameObjectsAfterManyHistories(@ForAll("nodes") List<ObservedNode> nodes, @ForAll Random random) {
        getsToTheSameObjectsWhateverHappenedBefore(nodes, random);
    }

    /** The nodes as they were, with what SRO holds on them by now. */
    private static ObservedNode[] restored(World world, List<ObservedNode> nodes) {
        return nodes.stream()
                .map(node -> {
                    ObservedNode now = world.nodes.get(node.name());
                    if (now == null) {
                        return node;
                    }
                    return Nodes.with(now, facts -> facts.kernel(node.facts().kernel()));
                })
                .toArray(ObservedNode[]::new);
    }

    private static void disturb(World world, List<ObservedNode> nodes, Random random) {
        ObservedNode node = nodes.get(random.nextInt(nodes.size()));
        List<ObjectRef> objects = List.copyOf(world.objects.keySet());
        switch (random.nextInt(5)) {
            case 0 -> world.nodes.remove(node.name());
            case 1 -> world.nodes.computeIfPresent(node.name(), (name, now) -> Nodes.kernel(now, "9.9.9-other"));
            case 2 -> {
                if (!objects.isEmpty()) {
                    world.objects.remove(objects.get(random.nextInt(objects.size())));
                }
            }
            case 3 -> {
                if (!objects.isEmpty()) {
                    ObjectRef ref = objects.get(random.nextInt(objects.size()));
                    world.objects.computeIfPresent(
                            ref,
                            (key, live) -> live.edit(tree -> ValueTrees.ensureMap(tree, "metadata", "labels")
                                    .put(MetadataKeys.OWNED, "changed")));
                }
            }
            default ->
                world.objects.putIfAbsent(new ObjectRef("v1", "ConfigMap", "kmod", "of an older recipe"), leftOver());
        }
    }

    private static KubeObject leftOver() {
        return KubeObject.of(Map.of(
                "apiVersion", "v1",
                "kind", "ConfigMap",
                "metadata",
                        Map.of(
                                "name", "of an older recipe",
                                "namespace", "kmod",
                                "uid", "left",
                                "labels", Map.of(MetadataKeys.SPECIAL_RESOURCE, "kmod"),
                                "annotations", Map.of(MetadataKeys.STATE, "3000-gone"))));
    }

    private static List<ObjectRef> ours(World world) {
        return List.copyOf(world.objects.keySet());
    }

    @Property(tries = 30)
    void deletesOnlyWhatItOwnsAndOnlyAsItWasSeen(@ForAll("nodes") List<ObservedNode> nodes, @ForAll Random random) {
        World world = world(nodes);
        for (int i = 0; i < DISTURBANCES; i++) {
            Plan plan = world.plan();
            for (Write write : plan.writes()) {
                if (write instanceof Write.Delete delete) {
                    KubeObject live = world.objects.get(delete.ref());
                    assertThat(Optional.ofNullable(live).map(KubeObject::uid))
                            .as("a precondition with the uid that was seen")
                            .contains(delete.uid());
                    assertThat(Optional.ofNullable(live).flatMap(object -> object.label(MetadataKeys.SPECIAL_RESOURCE)))
                            .contains("kmod");
                }
                assertThat(write instanceof Write.LabelNode label ? label.manager() : MetadataKeys.nodeManager("kmod"))
                        .isEqualTo(MetadataKeys.nodeManager("kmod"));
            }
            plan.writes().forEach(world::apply);
            world.controllers();
            disturb(world, nodes, random);
        }
    }

    @Property(tries = 80)
    @Tag("slow")
    void deletesOnlyWhatItOwnsInManyHistories(@ForAll("nodes") List<ObservedNode> nodes, @ForAll Random random) {
        deletesOnlyWhatItOwnsAndOnlyAsItWasSeen(nodes, random);
    }
}
