package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Problem;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TeardownTest {

    private static World settled() {
        World world = new World(States.build(), States.driver(), States.check())
                .with(Nodes.node("a", Nodes.K1), Nodes.bare("b", Nodes.K2, Nodes.RHCOS_84, "amd64"));
        assertThat(world.settle().converged()).isTrue();
        return world;
    }

    private static World deleted() {
        World world = settled();
        world.resource = Resources.copy(world.resource);
        world.resource.getMetadata().setDeletionTimestamp("2026-01-01T11:00:00Z");
        return world;
    }

    private static Condition condition(World world, String type) {
        SpecialResourceStatus status = Objects.requireNonNull(world.resource.getStatus());
        return status.getConditions().stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void statesGoInReverseOrderThenTheNamespaceThenLabelsThenTheFinalizer() {
        World world = deleted();
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            for (Write write : world.step().writes()) {
                if (write instanceof Write.Delete delete) {
                    order.add(delete.state());
                } else if (!(write instanceof Write.UpdateStatus)) {
                    order.add(write.getClass().getSimpleName());
                }
            }
        }
        assertThat(order.stream().distinct())
                .containsExactly("2000-check", "1000-driver", "0000-build", "0000-", "LabelNode", "SetFinalizer");
        assertThat(world.resource.getMetadata().getFinalizers()).isEmpty();
        assertThat(world.objects).isEmpty();
        assertThat(world.nodes.values()).allMatch(node -> node.appliedLabels().isEmpty());
        assertThat(world.node("a").facts().labels()).containsKey(MetadataKeys.KERNEL_LABEL);
        assertThat(world.node("b").facts().labels()).doesNotContainKey(MetadataKeys.KERNEL_LABEL);
        assertThat(world.plan().writes()).isEmpty();
    }

    @Test
    void anUnmanagedOneGoesLikeAnyOther() {
        World world = deleted();
        Resources.spec(world.resource).setManagementState("Unmanaged");
        for (int i = 0; i < 10; i++) {
            world.step();
        }
        assertThat(world.objects).isEmpty();
        assertThat(world.resource.getMetadata().getFinalizers()).isEmpty();
    }

    @Test
    void theGraphSaysWhatGoesFirstAndNotTheNumbers() {
        World world = new World(States.daemonSet("3000-driver", "driver"), States.daemonSet("1000-check", "check"))
                .with(Nodes.node("a", Nodes.K1));
        world.plugin.states = context -> StateGraph.chain(
                List.of(States.daemonSet("3000-driver", "driver"), States.daemonSet("1000-check", "check")));
        assertThat(world.settle().converged()).isTrue();
        world.resource = Resources.copy(world.resource);
        world.resource.getMetadata().setDeletionTimestamp("2026-01-01T11:00:00Z");
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            for (Write write : world.step().writes()) {
                if (write instanceof Write.Delete delete) {
                    order.add(delete.state());
                }
            }
        }
        assertThat(order.stream().distinct()).containsExactly("1000-check", "3000-driver", "0000-");
    }

    @Test
    void theLineOfAnAbsentSpecialResourceDoesNotSayThatItMakesProgress() {
        World world = settled();
        Resources.spec(world.resource).setManagementState("Removed");
        world.step();
        assertThat(Objects.requireNonNull(world.resource.getStatus()).getState())
                .startsWith("Removing: ")
                .endsWith("objects are left to remove");
        world.settle();
        assertThat(Objects.requireNonNull(world.resource.getStatus()).getState())
                .isEqualTo("Removed: everything is removed");
        assertThat(condition(world, "Progressing").getStatus()).isEqualTo("False");
    }

    @Test
    void aNamespaceThatIsNotOursStays() {
        World world = deleted();
        ObjectRef namespace = world.object("kmod").ref();
        KubeObject foreign = Objects.requireNonNull(world.objects.remove(namespace));
        world.settle();
        assertThat(world.objects).isEmpty();
        assertThat(world.resource.getMetadata().getFinalizers()).isEmpty();
        assertThat(foreign.ref()).isEqualTo(namespace);
    }

    @Test
    void podsOfADaemonSetGoWithItAndAreNotDeletedOneByOne() {
        World world = settled();
        KubeObject owner = world.object("driver-b657a71de7fad62f");
        ObjectRef pod = new ObjectRef("v1", "Pod", "kmod", "driver-abc");
        world.objects.put(
                pod,
                KubeObject.of(Map.of(
                        "apiVersion", "v1",
                        "kind", "Pod",
                        "metadata",
                                Map.of(
                                        "name", "driver-abc",
                                        "namespace", "kmod",
                                        "uid", "p1",
                                        "labels", Map.of(MetadataKeys.SPECIAL_RESOURCE, "kmod"),
                                        "ownerReferences",
                                                List.of(Map.of(
                                                        "kind",
                                                        "DaemonSet",
                                                        "name",
                                                        owner.ref().name(),
                                                        "uid",
                                                        owner.uid(),
                                                        "controller",
                                                        true))))));
        assertThat(world.plan().writes()).noneMatch(write -> write.ref().equals(pod));
    }

    @Test
    void aDeletionThatIsForbiddenIsReportedAndHeldBack() {
        World world = deleted();
        ObjectRef ref = world.object("check-b657a71de7fad62f").ref();
        world.failures.put(
                ref,
                new WriteFailure(
                        Problem.platform("Forbidden", ref + ": may not delete daemonsets"),
                        world.now.plusSeconds(9),
                        1));
        Plan plan = world.step();
        assertThat(plan.writes()).noneMatch(write -> write.ref().equals(ref));
        assertThat(plan.wakeUp()).contains(world.now.plusSeconds(9));
        assertThat(condition(world, "Degraded").getReason()).isEqualTo("Forbidden");
        assertThat(condition(world, "Degraded").getMessage()).contains("may not delete daemonsets");
    }

    @Test
    void aNodeThatCannotBeReleasedIsNotTriedOverAndOver() {
        World world = deleted();
        world.objects.clear();
        world.failures.put(
                new ObjectRef("v1", "Node", "", "a"),
                new WriteFailure(Problem.platform("Forbidden", "x"), world.now.plusSeconds(9), 1));
        Plan plan = world.step();
        assertThat(plan.writes())
                .filteredOn(Write.LabelNode.class::isInstance)
                .extracting(Write::ref)
                .containsExactly(new ObjectRef("v1", "Node", "", "b"));
        assertThat(plan.done()).isFalse();
        assertThat(world.step().writes()).noneMatch(Write.SetFinalizer.class::isInstance);
    }

    @Test
    void removedTakesEverythingAndKeepsTheSpecialResourceWhichMayComeBack() {
        World world = settled();
        Resources.spec(world.resource).setManagementState("Removed");
        assertThat(world.settle().done()).isTrue();
        assertThat(world.objects).isEmpty();
        assertThat(world.resource.getMetadata().getFinalizers()).containsExactly(MetadataKeys.FINALIZER);
        Resources.spec(world.resource).setManagementState("Managed");
        assertThat(world.settle().converged()).isTrue();
    }

    @Test
    void anUnwantedObjectThatMayNotBeDeletedIsReported() {
        World world = settled();
        ObjectRef ref = new ObjectRef("v1", "ConfigMap", "kmod", "left");
        world.objects.put(
                ref,
                KubeObject.of(Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "ConfigMap",
                        "metadata",
                        Map.of("name", "left", "namespace", "kmod", "uid", "x"))));
        world.failures.put(ref, new WriteFailure(Problem.platform("Forbidden", "no"), world.now.plusSeconds(9), 1));
        world.step();
        assertThat(condition(world, "Degraded").getReason()).isEqualTo("Forbidden");
        assertThat(ValueTrees.text(world.object("left").tree(), "kind")).isEqualTo("ConfigMap");
    }
}
