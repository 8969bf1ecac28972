package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.MetadataKeys;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Hooks of a chart, and the records of its release, through the whole life of a special resource. */
class HookScenarioTest extends HookWorld {

    @Test
    void hooksOfAnInstallationRunAroundTheirStepsByWeight() throws IOException {
        on.install("0.1.0");

        assertThat(writes(ALL))
                .containsExactly(
                        "+serviceaccounts prepare",
                        "+jobs prepare-b",
                        "+jobs prepare-a",
                        "+configmaps settings",
                        "-serviceaccounts prepare",
                        "-jobs prepare-b",
                        "+jobs announce",
                        "+daemonsets plugin");
        assertThat(on.names(Gvr.JOBS)).as("kept, as nothing says otherwise").containsExactly("announce", "prepare-a");
        assertThat(on.secret(1).getMetadata().getLabels())
                .containsEntry("owner", "helm")
                .containsEntry("name", "example")
                .containsEntry("status", "deployed")
                .containsEntry("version", "1");
        assertThat(on.condition("Warning").getMessage()).contains("the pre-rollback hook Job undo", "never runs");
    }

    @Test
    void hooksGetWhatEveryOperandGets() throws IOException {
        on.install("0.1.0");

        assertThat(on.sandbox
                        .client()
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace("example")
                        .withName("announce")
                        .get())
                .satisfies(job -> assertThat(job.getMetadata().getLabels())
                        .containsEntry("specialresource.openshift.io/owned", "true")
                        .containsEntry("sro.dev/special-resource", "example"))
                .satisfies(job ->
                        assertThat(job.getMetadata().getAnnotations()).containsEntry("sro.dev/state", "1000-driver"))
                .satisfies(job ->
                        assertThat(job.getMetadata().getOwnerReferences()).hasSize(1));
    }

    @Test
    void anUpgradeRunsItsOwnHooksOnceAndMakesARevision() throws IOException {
        on.install("0.1.0");
        on.sandbox.cluster().recording().start();

        on.install("0.2.0");

        assertThat(writes(ALL))
                .containsExactly(
                        "+serviceaccounts prepare",
                        "+jobs prepare-b",
                        "+configmaps settings",
                        "-serviceaccounts prepare",
                        "-jobs prepare-b",
                        "-jobs announce",
                        "+jobs announce");
        assertThat(on.statuses()).containsExactly("superseded", "deployed");
    }

    @Test
    void otherValuesAreAnUpgradeToo() throws IOException {
        on.install("0.1.0");
        on.sandbox.cluster().recording().start();

        on.sandbox.apply(on.resource("0.1.0", HookSandbox.speed("fast")));
        on.awaitReady();

        assertThat(writes(ALL))
                .contains("+jobs prepare-b", "+configmaps settings")
                .doesNotContain("+jobs prepare-a");
        assertThat(on.statuses()).containsExactly("superseded", "deployed");
    }

    @Test
    void nothingIsAskedOrWrittenWhenNothingChanges() throws IOException {
        on.install("0.1.0");
        on.sandbox.run(Duration.ofSeconds(10));
        on.sandbox.cluster().recording().start();

        on.sandbox.run(Duration.ofHours(2));
        assertThat(on.sandbox
                        .cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .isEmpty();

        on.sandbox.kill();
        on.sandbox.start();
        on.sandbox.run(Duration.ofMinutes(5));
        assertThat(on.sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .isEmpty();
    }

    @Test
    void aFailedHookIsSaidAndNotTriedAgain() throws IOException {
        on.sandbox
                .simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(1))
                        .workload("prepare-b")
                        .times(1));
        on.sandbox.apply(on.resource("0.1.0", ""));
        on.sandbox.run(Duration.ofMinutes(2));

        assertThat(on.condition("Degraded"))
                .satisfies(degraded -> assertThat(degraded.getReason()).isEqualTo("HookFailed"))
                .satisfies(degraded -> assertThat(degraded.getMessage())
                        .contains("the pre-install hook Job example/prepare-b failed", "sro.dev/hooks-"));
        assertThat(on.statuses()).containsExactly("failed");
        on.sandbox.cluster().recording().start();
        on.sandbox.run(Duration.ofHours(1));
        assertThat(on.sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .as("the failed hook is left for a person to look at")
                .isEmpty();

        on.forgetHooks(1);
        on.awaitReady();
        assertThat(writes(ALL)).startsWith("+serviceaccounts prepare", "-jobs prepare-b", "+jobs prepare-b");
        assertThat(on.statuses()).containsExactly("deployed");
    }

    @Test
    void whatWasNeverCompleteIsStillInstalledByTheNextVersion() throws IOException {
        on.sandbox
                .simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(1))
                        .workload("prepare-b")
                        .times(1));
        on.sandbox.apply(on.resource("0.1.0", ""));
        on.sandbox.run(Duration.ofMinutes(2));

        on.install("0.2.0");

        assertThat(writes(ALL)).as("a hook of installations alone").contains("+jobs prepare-a");
        assertThat(on.statuses()).containsExactly("failed", "deployed");
    }

    @Test
    void deletionRunsItsHooksAndLeavesNothing() throws IOException {
        on.install("0.1.0");
        on.sandbox.cluster().recording().start();

        on.delete();
        assertThat(on.sandbox.runUntil(LIMIT, () -> on.sandbox.get("example").isEmpty()))
                .isTrue();
        on.sandbox.run(Duration.ofMinutes(2));

        assertThat(writes(ALL))
                .startsWith("+jobs drain", "+jobs farewell", "-daemonsets plugin", "-configmaps settings")
                .endsWith("-jobs prepare-a");
        assertThat(on.sandbox.client().namespaces().withName("example").get()).isNull();
        assertThat(on.names(Gvr.JOBS)).isEmpty();
        assertThat(on.names(Gvr.SECRETS)).isEmpty();
    }

    @Test
    void aHookThatNeverEndsHoldsUpADeletionForTenMinutes() throws IOException {
        on.install("0.1.0");
        on.sandbox.simulation().behaviors().add(Behavior.runForever().workload("drain"));

        on.delete();
        on.sandbox.run(Duration.ofMinutes(9));
        assertThat(on.names(Gvr.DAEMONSETS)).containsExactly("plugin");

        on.sandbox.run(Duration.ofMinutes(1).plusSeconds(30));
        assertThat(on.sandbox.runUntil(LIMIT, () -> on.sandbox.get("example").isEmpty()))
                .isTrue();
        assertThat(on.events())
                .anyMatch(event -> event.contains("pre-delete hook Job example/drain failed: not done after 10 min"));
    }

    @Test
    void aFailedHookOfADeletionCanBeSkipped() throws IOException {
        on.install("0.1.0");
        on.sandbox
                .simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(1)).workload("drain"));
        on.delete();
        on.sandbox.run(Duration.ofMinutes(1));
        assertThat(on.condition("Degraded").getReason()).isEqualTo("HookFailed");

        on.annotate(MetadataKeys.SKIP_DELETE_HOOKS, "true");

        assertThat(on.sandbox.runUntil(
                        Duration.ofMinutes(2), () -> on.sandbox.get("example").isEmpty()))
                .isTrue();
    }
}
