package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.HardPartitioning;
import dev.sro.api.resource.PartitionTaint;
import dev.sro.api.resource.Partitioning;
import dev.sro.api.resource.ReadinessTaint;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The taint of nodes on which a special resource is not ready. */
class TaintPlannerTest {

    private static final String TAINT = "acme.com/not-ready=gpu:NoSchedule";
    private static final String OTHER = "example.com/batch=only:NoSchedule";

    private final World world = new World(States.build(), States.driver(), States.check());

    private void asksFor(String key, String value, String effect) {
        world.resource = Resources.copy(world.resource);
        ReadinessTaint taint = new ReadinessTaint();
        taint.setKey(key);
        taint.setValue(value);
        taint.setEffect(effect);
        Objects.requireNonNull(world.resource.getSpec()).setReadinessTaint(taint);
    }

    private void twoNodesOneOfThemBad() {
        asksFor("acme.com/not-ready", "gpu", "NoSchedule");
        world.badNodes.add("bad");
        world.with(
                Nodes.tainted(Nodes.node("good", Nodes.K1), OTHER, true),
                Nodes.tainted(Nodes.node("bad", Nodes.K1), OTHER, true));
        world.settle();
    }

    private List<String> taints(String node) {
        return world.node(node).facts().taints();
    }

    private List<String> recorded() {
        return Objects.requireNonNull(world.resource.getStatus()).getReadinessTaints();
    }

    @Test
    void isOnNodesUntilTheyAreReadyAndOthersStay() {
        twoNodesOneOfThemBad();
        assertThat(taints("good")).containsExactly(OTHER);
        assertThat(taints("bad")).containsExactlyInAnyOrder(OTHER, TAINT);

        world.badNodes.clear();
        world.controllers();
        world.settle();
        assertThat(taints("bad")).containsExactly(OTHER);
        assertThat(world.plan().writes()).isEmpty();
    }

    @Test
    void comesBackWhenANodeIsNotReadyAnyMore() {
        twoNodesOneOfThemBad();
        world.badNodes.add("good");
        world.controllers();
        world.settle();
        assertThat(taints("good")).containsExactlyInAnyOrder(OTHER, TAINT);
    }

    @Test
    void isOnRecordBeforeItIsOnANode() {
        asksFor("acme.com/not-ready", "gpu", "NoSchedule");
        world.badNodes.add("bad");
        world.with(Nodes.node("bad", Nodes.K1));
        for (int i = 0; i < 40; i++) {
            Plan plan = world.plan();
            boolean taints = plan.writes().stream().anyMatch(Write.TaintNode.class::isInstance);
            if (taints) {
                assertThat(recorded()).containsExactly(TAINT);
            }
            plan.writes().forEach(world::apply);
            world.controllers();
            world.now = world.now.plusSeconds(5);
        }
        assertThat(taints("bad")).containsExactly(TAINT);
    }

    @Test
    void oneThatANodeCameWithIsTakenOffWhateverItsValue() {
        asksFor("acme.com/not-ready", "gpu", "NoSchedule");
        world.with(Nodes.tainted(Nodes.node("new", Nodes.K1), "acme.com/not-ready=kubelet:NoSchedule", true));
        world.settle();
        assertThat(taints("new")).isEmpty();
    }

    @Test
    void theSameKeyWithAnotherEffectIsSomebodyElses() {
        asksFor("acme.com/not-ready", "gpu", "NoSchedule");
        world.with(Nodes.tainted(Nodes.node("new", Nodes.K1), "acme.com/not-ready:NoExecute", true));
        world.settle();
        assertThat(taints("new")).containsExactly("acme.com/not-ready:NoExecute");
    }

    @Test
    void anotherTaintReplacesItAndNoneTakesItAway() {
        twoNodesOneOfThemBad();
        asksFor("acme.com/wait", "", "PreferNoSchedule");
        world.settle();
        assertThat(taints("bad")).containsExactlyInAnyOrder(OTHER, "acme.com/wait:PreferNoSchedule");
        assertThat(recorded()).containsExactly("acme.com/wait:PreferNoSchedule");

        world.resource = Resources.copy(world.resource);
        Objects.requireNonNull(world.resource.getSpec()).setReadinessTaint(null);
        world.settle();
        assertThat(taints("bad")).containsExactly(OTHER);
        assertThat(recorded()).isEmpty();
    }

    @Test
    void aNodeThatDoesNotAnswerStaysAsItIs() {
        twoNodesOneOfThemBad();
        world.badNodes.clear();
        world.controllers();
        world.with(Nodes.with(world.node("bad"), facts -> facts.ready(false)));
        world.settle();
        assertThat(taints("bad")).contains(TAINT);
    }

    @Test
    void noExecuteIsTakenOffNodesThatCameWithItAndNeverPutOnOne() {
        asksFor("acme.com/not-ready", "", "NoExecute");
        world.badNodes.add("bad");
        world.with(
                Nodes.tainted(Nodes.node("a", Nodes.K1), "acme.com/not-ready:NoExecute", true),
                Nodes.node("bad", Nodes.K1));
        world.settle();
        assertThat(taints("a")).isEmpty();
        assertThat(taints("bad")).isEmpty();
    }

    @Test
    void aNodeThatIsNotServedAnyMoreLosesItBeforeItsLabels() {
        twoNodesOneOfThemBad();
        ObservedNode bad = world.nodes.remove("bad");
        world.strays.add(Objects.requireNonNull(bad));
        assertThat(world.plan().writes())
                .filteredOn(write -> write.ref().name().equals("bad"))
                .singleElement()
                .isInstanceOf(Write.TaintNode.class);
        world.settle();
        assertThat(world.strays.get(0).facts().taints()).containsExactly(OTHER);
        assertThat(world.strays.get(0).appliedLabels()).isEmpty();
    }

    @Test
    void goesWithTheSpecialResource() {
        twoNodesOneOfThemBad();
        world.resource.getMetadata().setDeletionTimestamp("2026-01-01T11:00:00Z");
        world.settle();
        assertThat(taints("bad")).containsExactly(OTHER);
        assertThat(world.node("bad").appliedLabels()).isEmpty();
        assertThat(world.resource.getMetadata().getFinalizers()).isEmpty();
    }

    private static final String GPU = "nvidia.com/gpu=NA:NoSchedule";

    private void partitions(String... taints) {
        world.resource = Resources.copy(world.resource);
        HardPartitioning hard = new HardPartitioning();
        hard.setTaints(Stream.of(taints)
                .map(text -> {
                    PartitionTaint taint = new PartitionTaint();
                    taint.setKey(text.substring(0, text.indexOf('=')));
                    taint.setValue(text.substring(text.indexOf('=') + 1, text.lastIndexOf(':')));
                    taint.setEffect(text.substring(text.lastIndexOf(':') + 1));
                    return taint;
                })
                .toList());
        Partitioning partitioning = new Partitioning();
        partitioning.setHard(taints.length == 0 ? null : hard);
        Objects.requireNonNull(world.resource.getSpec()).setPartitioning(partitioning);
    }

    private Map<String, String> notes(String node) {
        return world.node(node).holds().annotations();
    }

    @Test
    void partitioningIsOnEveryNodeThatIsServedReadyOrNot() {
        partitions(GPU);
        twoNodesOneOfThemBad();
        assertThat(taints("good")).containsExactly(OTHER, GPU);
        assertThat(taints("bad")).containsExactlyInAnyOrder(OTHER, GPU, TAINT);
        assertThat(notes("good")).containsEntry("sro.dev/taints-kmod", GPU);
        assertThat(Objects.requireNonNull(world.resource.getStatus()).getPartitionTaints())
                .containsExactly(GPU);
        assertThat(world.plan().writes()).isEmpty();

        world.with(Nodes.node("later", Nodes.K1));
        world.settle();
        assertThat(taints("later")).contains(GPU);
    }

    @Test
    void allTaintsOfANodeAreOneWrite() {
        asksFor("acme.com/not-ready", "gpu", "NoSchedule");
        partitions(GPU, "acme.com/second=x:PreferNoSchedule");
        world.badNodes.add("bad");
        world.with(Nodes.node("bad", Nodes.K1));
        for (int i = 0; i < 40; i++) {
            Plan plan = world.plan();
            assertThat(plan.writes().stream().filter(Write.TaintNode.class::isInstance))
                    .hasSizeLessThan(2);
            plan.writes().forEach(world::apply);
            world.controllers();
            world.now = world.now.plusSeconds(5);
        }
        assertThat(taints("bad")).hasSize(3);
    }

    @Test
    void partitioningIsOnRecordBeforeItIsOnANode() {
        partitions(GPU);
        world.with(Nodes.node("a", Nodes.K1));
        for (int i = 0; i < 40; i++) {
            Plan plan = world.plan();
            if (plan.writes().stream().anyMatch(Write.TaintNode.class::isInstance)) {
                assertThat(Objects.requireNonNull(world.resource.getStatus()).getPartitionTaints())
                        .containsExactly(GPU);
            }
            plan.writes().forEach(world::apply);
            world.controllers();
            world.now = world.now.plusSeconds(5);
        }
        assertThat(taints("a")).containsExactly(GPU);
    }

    @Test
    void partitioningGoesWithTheFieldAndLeavesNothing() {
        partitions(GPU);
        twoNodesOneOfThemBad();
        partitions();
        world.settle();
        assertThat(taints("good")).containsExactly(OTHER);
        assertThat(notes("good")).doesNotContainKey("sro.dev/taints-kmod");
        assertThat(Objects.requireNonNull(world.resource.getStatus()).getPartitionTaints())
                .isEmpty();
    }

    @Test
    void partitioningGoesWithANodeThatIsNotServedAnyMoreAndWithTheSpecialResource() {
        partitions(GPU);
        twoNodesOneOfThemBad();
        world.strays.add(Objects.requireNonNull(world.nodes.remove("good")));
        world.settle();
        assertThat(world.strays.get(0).facts().taints()).containsExactly(OTHER);
        assertThat(world.strays.get(0).appliedLabels()).isEmpty();
        assertThat(world.strays.get(0).holds().annotations()).isEmpty();
        world.strays.clear();

        world.resource.getMetadata().setDeletionTimestamp("2026-01-01T11:00:00Z");
        world.settle();
        assertThat(taints("bad")).containsExactly(OTHER);
        assertThat(notes("bad")).isEmpty();
        assertThat(world.resource.getMetadata().getFinalizers()).isEmpty();
    }

    @Test
    void aTaintOfSomebodyElseStaysWhateverBecomesOfOurs() {
        partitions(GPU);
        world.with(
                Nodes.tainted(Nodes.node("same", Nodes.K1), GPU, true),
                Nodes.tainted(Nodes.node("other", Nodes.K1), "nvidia.com/gpu=present:NoSchedule", true));
        Plan plan = world.settle();
        assertThat(taints("same")).containsExactly(GPU);
        assertThat(taints("other")).containsExactly("nvidia.com/gpu=present:NoSchedule");
        assertThat(plan.nodeProblems()).containsOnlyKeys("other");
        assertThat(plan.nodeProblems().get("other"))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo("NodeTaintConflict"));

        partitions();
        world.settle();
        assertThat(taints("same")).containsExactly(GPU);
        assertThat(taints("other")).containsExactly("nvidia.com/gpu=present:NoSchedule");
    }

    @Test
    void noExecuteOfPartitioningComesWhenAllIsReadyAndThenStays() {
        partitions("nvidia.com/gpu=NA:NoExecute");
        world.badNodes.add("bad");
        world.with(Nodes.node("bad", Nodes.K1), Nodes.node("good", Nodes.K1));
        world.settle();
        assertThat(taints("bad")).isEmpty();
        assertThat(taints("good")).containsExactly("nvidia.com/gpu=NA:NoExecute");

        world.badNodes.add("good");
        world.controllers();
        world.settle();
        assertThat(taints("good")).containsExactly("nvidia.com/gpu=NA:NoExecute");
    }

    @Test
    void operandsTolerateThePartition() {
        partitions(GPU);
        assertThat(world.desired().stream()
                        .flatMap(state -> state.byPool().values().stream())
                        .flatMap(List::stream)
                        .map(desired -> desired.object())
                        .filter(object -> object.ref().kind().equals("DaemonSet"))
                        .map(object -> object.maps("spec", "template", "spec", "tolerations")))
                .allMatch(tolerations -> tolerations.toString().contains("nvidia.com/gpu"));
    }
}
