package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.WriteException;
import dev.sro.testkit.server.Gvr;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hooks of charts when something fails, was there before, or goes. */
class HookRecoveryScenarioTest extends HookWorld {

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
