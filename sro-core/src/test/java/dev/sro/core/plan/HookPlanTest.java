package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.ChartRelease;
import dev.sro.core.release.Release;
import dev.sro.core.release.ReleaseRecord;
import dev.sro.core.release.ReleaseStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a plan does about hooks and the record of a release. */
class HookPlanTest {
    private final List<DesiredHook> hooks = new ArrayList<>();
    private final World world = new World(States.driver()).with(Nodes.node("a", Nodes.K1));
    private String version = "1";

    HookPlanTest() {
        world.dressed = states -> states.stream().map(this::dressed).toList();
        world.release = states -> Optional.of(new Release(
                new ChartRelease(
                        "kmod",
                        "kmod",
                        Map.of("apiVersion", "v2", "name", "kmod", "version", version),
                        version,
                        Map.of(),
                        Map.of()),
                states,
                "key-" + version,
                "digest-" + version));
    }

    private DesiredState dressed(DesiredState state) {
        return new DesiredState(state.state(), state.before(), state.shared(), state.byPool(), state.problems(), hooks);
    }

    private void hook(String name, String events, String weight) {
        Map<String, Object> tree = Map.of(
                "apiVersion",
                "batch/v1",
                "kind",
                "Job",
                "metadata",
                Map.of(
                        "name",
                        name,
                        "namespace",
                        "kmod",
                        "annotations",
                        Map.of(
                                "helm.sh/hook",
                                events,
                                "helm.sh/hook-weight",
                                weight,
                                MetadataKeys.HOOK,
                                "digest",
                                MetadataKeys.STATE,
                                States.driver().id())));
        hooks.add(DesiredHook.of(KubeObject.of(tree), "templates/hooks.yaml"));
        hooks.sort(DesiredHook.ORDER);
    }

    /** What a plan writes beside of namespace, labels and status. */
    private static List<String> writes(Plan plan) {
        return plan.writes().stream()
                .filter(write -> write instanceof Write.Apply || write instanceof Write.Delete)
                .filter(write -> !write.ref().kind().equals("Namespace"))
                .map(write -> write.getClass().getSimpleName() + " "
                        + write.ref().kind() + " " + write.ref().name())
                .toList();
    }

    private Outcome state() {
        return world.plan().states().get(0).outcome();
    }

    private List<ReleaseRecord> records() {
        return ReleaseRecord.all(world.objects.values());
    }

    private void complete(String job, String condition) {
        world.edit(job, tree -> {
            Map<String, Object> one = new HashMap<>(Map.of("type", condition, "status", "True", "reason", "Test"));
            ValueTrees.ensureMap(tree, "status").put("conditions", new ArrayList<>(List.of(one)));
        });
    }

    /** As many steps as there is something to write, without controllers. */
    private void steps() {
        for (int i = 0; i < 20 && !world.step().writes().isEmpty(); i++) {
            world.now = world.now.plusSeconds(5);
        }
        world.edit("kmod", tree -> ValueTrees.ensureMap(tree, "status").put("phase", "Active"));
    }

    @Test
    void thatAHookStartsIsRecordedBeforeItIsMadeAndNothingElseIs() {
        hook("first", "pre-install", "0");
        world.step();
        assertThat(records()).singleElement().satisfies(record -> {
            assertThat(record.state().status()).isEqualTo(ReleaseStatus.PENDING_INSTALL);
            assertThat(record.state().hooks()).isEmpty();
        });
        assertThat(writes(world.step())).containsExactly("Apply Secret sh.helm.release.v1.kmod.v1");
        assertThat(writes(world.step())).containsExactly("Apply Job first");
        assertThat(writes(world.step())).isEmpty();
        assertThat(state())
                .isInstanceOfSatisfying(
                        Outcome.Waiting.class,
                        waiting -> assertThat(waiting.reason()).isEqualTo("HookRunning"));
    }

    @Test
    void hooksOfHigherWeightAndObjectsWait() {
        hook("late", "pre-install", "10");
        hook("early", "pre-install", "-1");
        steps();
        assertThat(world.objects.keySet())
                .extracting(ObjectRef::name)
                .contains("early")
                .doesNotContain("late", "driver");

        complete("early", "Complete");
        steps();
        assertThat(world.objects.keySet())
                .extracting(ObjectRef::name)
                .contains("late")
                .doesNotContain("driver");

        complete("late", "Complete");
        steps();
        assertThat(world.objects.keySet()).extracting(ObjectRef::name).contains("driver");
    }

    @Test
    void aFailedUpgradeHookLeavesTheFormerObjectsAsTheyAre() {
        hook("check", "pre-upgrade", "0");
        assertThat(world.settle().converged()).isTrue();
        KubeObject before = world.object("driver");
        world.edit(
                "driver",
                tree -> ValueTrees.ensureMap(tree, "metadata", "labels").remove(MetadataKeys.OWNED));

        version = "2";
        steps();
        complete("check", "Failed");
        steps();

        assertThat(state())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.problem().code()).isEqualTo("HookFailed"));
        assertThat(world.object("driver")).isNotEqualTo(before);
        assertThat(writes(world.plan())).isEmpty();
        assertThat(records())
                .extracting(record -> record.state().status())
                .containsExactly(ReleaseStatus.DEPLOYED, ReleaseStatus.FAILED);
    }

    @Test
    void aConvergedReleaseNeedsNoWrite() {
        hook("check", "pre-install,post-install", "0");
        assertThat(world.settle().converged()).isTrue();
        assertThat(world.plan().writes()).isEmpty();
        assertThat(world.plan().wakeUp()).isEmpty();
    }

    @Test
    void hooksWaitUntilAllOfTheChartCanBeRendered() {
        hook("check", "pre-install", "0");
        world.release = states -> Optional.empty();
        world.step();

        assertThat(state())
                .isInstanceOfSatisfying(
                        Outcome.Waiting.class,
                        waiting -> assertThat(waiting.reason()).isEqualTo("ReleaseNotRecorded"));
    }

    @Test
    void hooksDoNotRunWhereNobodyCouldRecordThem() {
        hook("check", "post-install", "0");
        world.unseen.put("v1/Secret", Outcome.failed(Problem.platform("Forbidden", "no rights on Secrets")));
        world.settle();

        assertThat(state())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.problem().code()).isEqualTo("Forbidden"));
        assertThat(world.objects.keySet())
                .extracting(ObjectRef::kind)
                .contains("DaemonSet")
                .doesNotContain("Secret", "Job");
        assertThat(Objects.requireNonNull(world.resource.getStatus()).getManagedKinds())
                .as("or the deletion would wait for them to be seen")
                .doesNotContain("v1/Secret");
    }

    @Test
    void whoDeletesTheRecordHasItInstalledAnew() {
        hook("check", "pre-install", "0");
        world.settle();
        world.objects.keySet().removeIf(ref -> ref.kind().equals("Secret"));

        world.step();
        world.step();

        assertThat(records().get(0).state().hooks()).hasSize(1);
        assertThat(writes(world.step())).contains("Delete Job check");
    }

    @Test
    void aDeletionWithoutARecordNeedsNone() {
        world.release = states -> Optional.empty();
        world.settle();
        world.resource.getMetadata().setDeletionTimestamp("2026-01-01T11:00:00Z");

        assertThat(world.settle().done()).isTrue();
        assertThat(world.objects).isEmpty();
    }

    @Test
    void aDeletionWaitsWhereTheRecordCannotBeSeen() {
        hook("check", "pre-delete", "0");
        world.settle();
        world.resource.getMetadata().setDeletionTimestamp("2026-01-01T11:00:00Z");
        world.unseen.put("v1/Secret", Outcome.failed(Problem.platform("Forbidden", "no rights on Secrets")));

        assertThat(writes(world.plan())).as("there may be hooks").isEmpty();
    }

    /** A recipe that makes the namespace itself, in its first state, and has nothing else there. */
    private World ownNamespace() {
        State namespace = State.of("0000-namespace", ManifestTemplate.text("0000-namespace.yaml", """
            apiVersion: v1
            kind: Namespace
            metadata: {name: kmod}
            """));
        World own = new World(namespace, States.driver()).with(Nodes.node("a", Nodes.K1));
        own.namespaceIsOurs = false;
        own.release = world.release;
        return own;
    }

    @Test
    void aReleaseIsRecordedOnceTheNamespaceThatItsRecipeMakesIsThere() {
        World own = ownNamespace();

        Plan first = own.step();
        assertThat(first.writes())
                .anyMatch(write -> write.ref().kind().equals("Namespace"))
                .noneMatch(write -> write.ref().kind().equals("Secret"));
        own.edit("kmod", tree -> ValueTrees.ensureMap(tree, "status").put("phase", "Active"));
        assertThat(writes(own.step())).contains("Apply Secret sh.helm.release.v1.kmod.v1");
    }

    @Test
    void hooksOfTheStateThatMakesTheNamespaceWaitForItAndNotForEver() {
        hook("first", "pre-install", "0");
        World own = ownNamespace();
        own.dressed = world.dressed;

        Plan first = own.step();
        assertThat(first.writes())
                .filteredOn(write -> write.ref().kind().equals("Namespace"))
                .hasSize(1);
        assertThat(writes(first)).isEmpty();
        own.edit("kmod", tree -> ValueTrees.ensureMap(tree, "status").put("phase", "Active"));
        assertThat(writes(own.step())).containsExactly("Apply Secret sh.helm.release.v1.kmod.v1");
        own.step();
        assertThat(writes(own.step())).contains("Apply Job first");
    }
}
