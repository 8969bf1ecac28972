package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.WriteException;
import dev.sro.core.model.Marks;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hooks of a chart, and the records of its release, through the whole life of a special resource. */
class HookScenarioTest {
    private static final Duration LIMIT = Duration.ofMinutes(30);

    @TempDir
    private Path folder;

    private HookSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HookSandbox(folder);
    }

    @AfterEach
    void close() {
        on.close();
    }

    /** Names of what the operator wrote, in order: a plus for an apply, a minus for a deletion; each once in a row. */
    private List<String> writes(Set<String> names) {
        List<String> all = new ArrayList<>();
        for (Recording.Entry entry :
                on.sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro"))) {
            if (entry.isWrite() && names.contains(entry.name())) {
                String line = (entry.verb().equals("delete") ? "-" : "+")
                        + entry.resource().replaceAll("[./].*", "") + " " + entry.name();
                if (all.isEmpty() || !all.get(all.size() - 1).equals(line)) {
                    all.add(line);
                }
            }
        }
        return all;
    }

    private static final Set<String> ALL = Set.of(
            "settings",
            "prepare",
            "prepare-a",
            "prepare-b",
            "announce",
            "plugin",
            "drain",
            "farewell",
            "undo",
            "check");

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

        on.annotate(Marks.SKIP_DELETE_HOOKS, "true");

        assertThat(on.sandbox.runUntil(
                        Duration.ofMinutes(2), () -> on.sandbox.get("example").isEmpty()))
                .isTrue();
    }

    @Test
    void keepsTenRevisions() throws IOException {
        on.install("0.1.0");
        for (int i = 0; i < 12; i++) {
            on.sandbox.apply(on.resource("0.1.0", HookSandbox.speed("" + i)));
            on.awaitReady();
            on.sandbox.run(Duration.ofSeconds(10));
        }

        assertThat(on.secrets())
                .extracting(secret -> secret.getMetadata().getName())
                .hasSize(10)
                .contains("sh.helm.release.v1.example.v4", "sh.helm.release.v1.example.v13")
                .doesNotContain("sh.helm.release.v1.example.v3");
        assertThat(on.statuses()).startsWith("superseded").endsWith("deployed").containsOnlyOnce("deployed");
    }

    /** The operator dies after each of its writes in turn. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24})
    void goesOnAfterACrash(int survived) throws IOException {
        AtomicInteger left = new AtomicInteger(survived);
        on.restart(writer -> dyingAfter(left, writer));
        on.sandbox.apply(on.resource("0.1.0", ""));
        on.sandbox.run(Duration.ofMinutes(1));
        assertThat(left.get()).as("it died").isLessThanOrEqualTo(0);
        on.restart(writer -> writer);
        on.awaitReady();

        assertThat(on.statuses()).containsExactly("deployed");
        List<String> writes = writes(ALL);
        assertThat(writes).contains("+jobs prepare-b", "+jobs prepare-a", "+jobs announce", "+daemonsets plugin");
        assertThat(writes.indexOf("+configmaps settings")).isGreaterThan(writes.indexOf("+jobs prepare-a"));
        assertThat(on.names(Gvr.JOBS)).containsExactly("announce", "prepare-a");
    }

    private static ClusterWriter dyingAfter(AtomicInteger left, ClusterWriter writer) {
        return (ClusterWriter) Proxy.newProxyInstance(
                HookScenarioTest.class.getClassLoader(),
                new Class<?>[] {ClusterWriter.class},
                (proxy, method, args) -> {
                    if (left.getAndDecrement() <= 0) {
                        throw new WriteException(WriteException.Kind.UNAVAILABLE, "dead");
                    }
                    try {
                        return method.invoke(writer, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void withoutRightsOnSecretsOnlyTheRecordIsMissing() throws IOException {
        on.restart(writer -> (ClusterWriter) Proxy.newProxyInstance(
                HookScenarioTest.class.getClassLoader(),
                new Class<?>[] {ClusterWriter.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("create") && args[0].toString().startsWith("Secret")) {
                        throw new WriteException(WriteException.Kind.FORBIDDEN, "secrets are forbidden");
                    }
                    try {
                        return method.invoke(writer, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
        on.sandbox.apply(on.resource("0.1.0", "").replace("name: example-hooks\n", "name: plain\n"));
        on.awaitReady();
        on.sandbox.run(Duration.ofMinutes(1));
        assertThat(on.condition("Warning").getMessage())
                .contains("the release is not recorded", "secrets are forbidden");

        on.sandbox.apply(on.resource("0.1.0", ""));
        on.sandbox.run(Duration.ofMinutes(1));
        assertThat(on.condition("Degraded"))
                .as("hooks cannot be tracked")
                .satisfies(degraded -> assertThat(degraded.getReason()).isEqualTo("Forbidden"));
    }

    @Test
    void aKernelAffineHookRunsForEachKernelOnceAndForANewOneWhenItComes() throws IOException {
        on.edit("example-hooks-0.1.0/templates/hooks.yaml", text -> text + """
            ---
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: probe
              annotations:
                specialresource.openshift.io/kernel-affine: "true"
                helm.sh/hook: post-install
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - {name: main, image: example.com/probe}
            """);
        on.install("0.1.0");
        assertThat(on.names(Gvr.JOBS)).hasSize(3).anyMatch(name -> name.startsWith("probe-"));
        on.sandbox.cluster().recording().start();

        on.node("other", "4.18.0-305.40.2.el8_4.x86_64");
        on.sandbox.run(Duration.ofMinutes(5));

        on.awaitReady();
        assertThat(on.names(Gvr.JOBS))
                .filteredOn(name -> name.startsWith("probe-"))
                .hasSize(2);
        assertThat(writes(ALL)).as("a node is no upgrade").isEmpty();
        assertThat(on.statuses()).containsExactly("superseded", "deployed");
    }

    @Test
    void whatTheFormerOperatorInstalledIsNotInstalledAgain() throws IOException {
        on.sandbox.kill();
        on.sandbox.apply(on.resource("0.1.0", ""));
        String uid = on.sandbox.get("example").orElseThrow().getMetadata().getUid();
        on.sandbox.client().resource("""
            apiVersion: v1
            kind: Namespace
            metadata: {name: example, labels: {specialresource.openshift.io/owned: "true"}}
            """).create();
        on.sandbox.client().resource("""
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: settings
              namespace: example
              labels: {specialresource.openshift.io/owned: "true"}
              ownerReferences:
              - {apiVersion: sro.openshift.io/v1beta1, kind: SpecialResource, name: example, uid: %s, controller: true}
            data: {speed: slow}
            """.formatted(uid)).create();
        on.restart(writer -> writer);
        on.awaitReady();
        assertThat(on.names(Gvr.JOBS)).isEmpty();
        assertThat(on.statuses()).containsExactly("deployed");

        on.install("0.2.0");
        assertThat(on.names(Gvr.JOBS)).as("an upgrade is one").containsExactly("announce");
    }

    @Test
    void hooksThatTheChartHasNoMoreGo() throws IOException {
        on.install("0.1.0");
        on.edit("example-hooks-0.2.0/templates/1000-driver.yaml", text -> text.substring(0, text.indexOf("---")));
        on.install("0.2.0");
        on.sandbox.run(Duration.ofMinutes(1));

        assertThat(on.names(Gvr.JOBS)).isEmpty();
    }

    @Test
    void removedAndManagedAgainIsAnotherInstallation() throws IOException {
        on.install("0.1.0");
        on.sandbox.apply(on.resource("0.1.0", "managementState: Removed"));
        on.sandbox.run(Duration.ofMinutes(5));
        assertThat(on.names(Gvr.SECRETS)).isEmpty();
        on.sandbox.cluster().recording().start();

        on.sandbox.apply(on.resource("0.1.0", "managementState: Managed"));
        on.awaitReady();

        assertThat(writes(ALL)).contains("+jobs prepare-a");
        assertThat(on.statuses()).containsExactly("deployed");
    }
}
