package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PlannerTest {

    private static final String LABEL = MetadataKeys.stateLabel("kmod", "1000");
    private static final String K1_DRIVER = "driver-b657a71de7fad62f";
    private static final String K2_DRIVER = "driver-e383247e62b56585";

    private static World kmod() {
        return new World(States.build(), States.driver(), States.check());
    }

    private static World settled() {
        World world = kmod().with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2));
        assertThat(world.settle().converged()).isTrue();
        return world;
    }

    private static List<String> kinds(Plan plan) {
        return plan.writes().stream()
                .map(write ->
                        write.getClass().getSimpleName() + " " + write.ref().kind())
                .toList();
    }

    private static SpecialResourceStatus status(World world) {
        return Objects.requireNonNull(world.resource.getStatus());
    }

    @Test
    void beginsWithFinalizerAndRecordThenTheNamespaceThenTheFirstState() {
        assertThat(kinds(kmod().with(Nodes.node("a", Nodes.K1)).plan()))
                .containsExactly(
                        "SetFinalizer SpecialResource",
                        "UpdateStatus SpecialResource",
                        "LabelNode Node",
                        "Apply Namespace",
                        "Apply Job");
    }

    @Test
    void recordsEveryKindOfTheRecipeBeforeItsFirstObject() {
        World world = kmod().with(Nodes.node("a", Nodes.K1));
        world.step();
        assertThat(status(world).getManagedKinds())
                .containsExactly("apps/v1/DaemonSet", "batch/v1/Job", "v1/Namespace", "v1/ServiceAccount");
    }

    @Test
    void f3TwoKernelsGetTwoOfEachAndOneShared() {
        World world = settled();
        assertThat(world.objects.keySet())
                .extracting(ref -> ref.kind() + " " + ref.name())
                .containsExactlyInAnyOrder(
                        "Namespace kmod",
                        "Job build-b657a71de7fad62f",
                        "Job build-e383247e62b56585",
                        "ServiceAccount driver",
                        "ServiceAccount check",
                        "DaemonSet " + K1_DRIVER,
                        "DaemonSet " + K2_DRIVER,
                        "DaemonSet check-b657a71de7fad62f",
                        "DaemonSet check-e383247e62b56585");
        assertThat(world.node("a").facts().labels()).containsEntry(LABEL, "Ready");
        assertThat(status(world).getNodes())
                .satisfies(nodes -> assertThat(nodes).hasToString("NodeCounts[2, 2]"));
    }

    @Test
    void aConvergedWorldNeedsNoWriteAndNoWakeUp() {
        Plan plan = settled().plan();
        assertThat(plan.writes()).isEmpty();
        assertThat(plan.wakeUp()).isEmpty();
        assertThat(plan.transitions()).isEmpty();
    }

    @Test
    void oneChangedFieldIsOneApply() {
        World world = settled();
        world.edit(
                K1_DRIVER,
                tree -> ValueTrees.ensureMap(tree, "spec", "template", "spec").put("serviceAccountName", "x"));
        assertThat(world.plan().writes())
                .filteredOn(Write.Apply.class::isInstance)
                .singleElement()
                .satisfies(write -> assertThat(write.ref().name()).isEqualTo(K1_DRIVER));
    }

    @Test
    void fieldsOfOthersAreLeftAlone() {
        World world = settled();
        world.edit(K1_DRIVER, tree -> {
            ValueTrees.ensureMap(tree, "metadata", "labels").put("somebody", "else");
            ValueTrees.ensureMap(tree, "spec").put("revisionHistoryLimit", 10);
        });
        assertThat(world.plan().writes()).isEmpty();
    }

    @Test
    void aJobIsNotRunAgainForWhatOnlySroAddsToIt() {
        World world = settled();
        world.edit(
                "build-b657a71de7fad62f",
                tree -> ValueTrees.ensureMap(tree, "metadata", "annotations")
                        .put(MetadataKeys.APPLIED, "by another version"));
        assertThat(world.plan().writes()).isEmpty();
    }

    @Test
    void aChangedJobIsDeletedAndThenMadeAnew() {
        World world = settled();
        world.edit(
                "build-b657a71de7fad62f",
                tree -> ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.MANIFEST, "before"));
        Plan plan = world.step();
        assertThat(plan.writes()).first().isInstanceOfSatisfying(Write.Delete.class, delete -> {
            assertThat(delete.ref().kind()).isEqualTo("Job");
            assertThat(delete.foreground()).isTrue();
        });
        assertThat(world.step().writes())
                .anySatisfy(write -> assertThat(write)
                        .isInstanceOfSatisfying(
                                Write.Apply.class,
                                apply -> assertThat(apply.create()).isTrue()));
    }

    @Test
    void whatAUserMaySetOnAJobDoesNotRunItAgain() {
        World world = settled();
        world.edit(
                "build-b657a71de7fad62f",
                tree -> ValueTrees.ensureMap(tree, "spec").put("parallelism", 3));
        assertThat(world.plan().writes()).isEmpty();
    }

    @Test
    void driversGoOnRunningWhileTheBuildBeforeThemIsRunAgain() {
        World world = settled();
        world.edit(
                "build-b657a71de7fad62f",
                tree -> ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.APPLIED, "before"));
        for (int i = 0; i < 3; i++) {
            world.step();
            assertThat(world.node("a").facts().labels()).containsEntry(LABEL, "Ready");
        }
        world.controllers();
        assertThat(world.settle().converged()).isTrue();
    }

    /** The original went on when all was ready that a state waits for; a node that is done stays done. */
    @Test
    void whatIsOnNoNodeKeepsFurtherNodesFromBeingDoneAndTheNextStateFromBeginning() {
        State.Builder driver = State.builder();
        driver.from(States.driver()).addManifests(ManifestTemplate.text("server.yaml", """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: server}
            spec: {template: {spec: {containers: [{name: c, image: "server:1"}]}}}
            """));
        World world = new World(driver.build(), States.check()).with(Nodes.node("a", Nodes.K1));
        for (int i = 0; i < 4; i++) {
            world.step();
            world.controllers();
        }
        assertThat(world.node("a").facts().labels()).doesNotContainKey(LABEL);
        assertThat(world.objects.keySet()).extracting("name").doesNotContain("check-b657a71de7fad62f");

        world.edit("server", tree -> tree.put("status", new HashMap<>(serving(1))));
        assertThat(world.settle().converged()).isTrue();
        assertThat(world.node("a").facts().labels()).containsEntry(LABEL, "Ready");

        world.edit("server", tree -> tree.put("status", new HashMap<>(serving(0))));
        world.step();
        assertThat(world.node("a").facts().labels()).containsEntry(LABEL, "Ready");
    }

    private static Map<String, Object> serving(int replicas) {
        return Map.of("observedGeneration", 1, "replicas", 1, "updatedReplicas", 1, "availableReplicas", replicas);
    }

    @Test
    void aPoolDoesNotWaitForAnother() {
        World world = kmod().with(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2));
        world.step();
        world.controllers();
        world.edit("build-e383247e62b56585", tree -> tree.remove("status"));
        world.step();
        assertThat(world.objects.keySet())
                .extracting("name")
                .contains(K1_DRIVER)
                .doesNotContain(K2_DRIVER);
    }

    @Test
    void oneBadNodeDoesNotHoldUpTheOthersOfItsPool() {
        World world = kmod().with(Nodes.node("a", Nodes.K1), Nodes.node("bad", Nodes.K1));
        world.badNodes.add("bad");
        world.settle();
        assertThat(world.objects.keySet()).extracting("name").contains("check-b657a71de7fad62f");
        assertThat(world.node("a").facts().labels()).containsEntry(LABEL, "Ready");
        assertThat(world.node("bad").facts().labels()).doesNotContainKey(LABEL);
        assertThat(status(world).getSamples())
                .anySatisfy(sample -> assertThat(sample.getNode()).isEqualTo("bad"));
    }

    @Test
    void f4AnOldPoolIsRetiredWhenNoNodeRunsItsDriverAnyMore() {
        World world = settled();
        world.nodes.put(
                "b", Nodes.relabel(Nodes.kernel(world.node("b"), Nodes.K1), MetadataKeys.KERNEL_LABEL, Nodes.K2));
        world.step();
        assertThat(world.objects.keySet()).extracting("name").contains(K2_DRIVER);
        world.nodes.put("b", Nodes.relabel(world.node("b"), MetadataKeys.KERNEL_LABEL, Nodes.K1));
        world.controllers();
        Plan first = world.step();
        assertThat(first.writes())
                .filteredOn(Write.Delete.class::isInstance)
                .extracting(Write::ref)
                .extracting("name")
                .containsExactly("check-e383247e62b56585");
        world.settle();
        assertThat(world.objects.keySet()).noneMatch(ref -> ref.name().endsWith("e383247e62b56585"));
        assertThat(world.node("b").facts().labels()).containsEntry(LABEL, "Ready");
    }

    @Test
    void aNodeThatLeavesForANewKernelLosesItsReadyLabelsAtOnce() {
        World world = settled();
        world.with(Nodes.relabel(
                Nodes.kernel(world.node("b"), "4.18.0-400.el8_4.x86_64"),
                MetadataKeys.KERNEL_LABEL,
                "4.18.0-400.el8_4.x86_64"));
        world.step();
        assertThat(world.node("b").facts().labels()).doesNotContainKey(LABEL);
        assertThat(world.node("a").facts().labels()).containsEntry(LABEL, "Ready");
    }

    @Test
    void aRenderProblemKeepsWhatExistsAndItsLabels() {
        World world = settled();
        world.plugin.beforeDecode = text -> text.replace("driver:1", "driver:${nothing}");
        Plan plan = world.plan();
        assertThat(plan.writes()).allMatch(Write.UpdateStatus.class::isInstance);
        assertThat(plan.state("1000-driver").orElseThrow().outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.problem().code()).isEqualTo("UndefinedVariable"));
    }

    @Test
    void aRecipeProblemKeepsWhatExists() {
        World world = settled();
        world.problems.add(Problem.user("UnknownPlugin", "spec.plugin.name: x"));
        Plan plan = world.step();
        assertThat(kinds(plan)).containsExactly("UpdateStatus SpecialResource");
        assertThat(status(world).getConditions()).anySatisfy(condition -> {
            assertThat(condition.getType()).isEqualTo("Degraded");
            assertThat(condition.getReason()).isEqualTo("UnknownPlugin");
        });
    }

    @Test
    void aCacheThatIsNotFilledChangesNothingThatItWouldShow() {
        World world = settled();
        world.objects.keySet().removeIf(ref -> ref.kind().equals("DaemonSet"));
        world.unseen.put("apps/v1/DaemonSet", Outcome.waiting("CacheFilling", world.now, "fills"));
        assertThat(world.plan().writes()).allMatch(Write.UpdateStatus.class::isInstance);
    }

    @Test
    void aNamespaceThatCannotBeWrittenDoesNotTakeLabelsAway() {
        World world = settled();
        world.edit(
                "kmod", tree -> ValueTrees.ensureMap(tree, "metadata", "labels").remove(MetadataKeys.OWNED));
        world.objects.remove(world.object("build-b657a71de7fad62f").ref());
        world.failures.put(
                new ObjectRef("v1", "Namespace", "", "kmod"),
                new WriteFailure(Problem.platform("Forbidden", "x"), world.now.plusSeconds(9), 1));
        assertThat(world.plan().writes()).noneMatch(Write.LabelNode.class::isInstance);
    }

    @Test
    void noNodesIsReadyAndNothingIsMade() {
        World world = kmod();
        world.step();
        assertThat(world.objects).isEmpty();
        assertThat(status(world).getConditions()).anySatisfy(condition -> {
            assertThat(condition.getType()).isEqualTo("Ready");
            assertThat(condition.getStatus()).isEqualTo("True");
            assertThat(condition.getReason()).isEqualTo("NoMatchingNodes");
        });
    }

    @Test
    void unmanagedIsLeftAlone() {
        World world = settled();
        world.objects.clear();
        Resources.spec(world.resource).setManagementState("Unmanaged");
        assertThat(world.plan().writes()).isEmpty();
    }

    @Test
    void aRefusedWriteIsNotRepeatedBeforeItsTimeAndWakesUpThen() {
        World world = kmod().with(Nodes.node("a", Nodes.K1));
        world.step();
        world.controllers();
        world.objects.remove(world.object("build-b657a71de7fad62f").ref());
        ObjectRef job = new ObjectRef("batch/v1", "Job", "kmod", "build-b657a71de7fad62f");
        world.failures.put(
                job, new WriteFailure(Problem.platform("Forbidden", job + ": no"), world.now.plusSeconds(9), 1));
        Plan plan = world.plan();
        assertThat(plan.writes()).noneMatch(Write.Apply.class::isInstance);
        assertThat(plan.wakeUp()).contains(world.now.plusSeconds(9));
        world.now = world.now.plusSeconds(9);
        assertThat(world.plan().writes()).anyMatch(Write.Apply.class::isInstance);
    }

    @Test
    void nothingIsMadeWhileTheFinalizerCannotBeSet() {
        World world = kmod().with(Nodes.node("a", Nodes.K1));
        world.failures.put(self(), new WriteFailure(Problem.platform("Forbidden", "x"), world.now.plusSeconds(9), 1));
        Plan plan = world.plan();
        assertThat(plan.writes()).isEmpty();
        assertThat(plan.wakeUp()).contains(world.now.plusSeconds(9));
    }

    private static ObjectRef self() {
        return new ObjectRef("sro.openshift.io/v1beta1", "SpecialResource", "", "kmod");
    }
}
