package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.recipes.LeastRights;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chart with hooks under an operator that nobody granted anything: its account sees and writes what the chart has, and its release. */
class LeastRightsChartTest {
    @TempDir
    private Path folder;

    private HookSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HookSandbox(folder);
        LeastRights.of(on.sandbox);
        on.restart(writer -> writer);
    }

    @AfterEach
    void close() {
        on.close();
    }

    private boolean isGone() {
        return on.sandbox.get("example").isEmpty()
                && on.sandbox.client().namespaces().withName("example").get() == null;
    }

    @Test
    void theReleaseIsRecordedHooksRunAndAllOfItGoes() {
        on.install("0.1.0");

        assertThat(on.statuses()).containsExactly("deployed");
        assertThat(on.secret(1).getMetadata().getAnnotations()).containsEntry("sro.dev/account", "example/sro-recipe");
        assertThat(on.condition("Warning").getMessage()).doesNotContain("not recorded");

        on.install("0.2.0");
        assertThat(on.statuses()).containsExactly("superseded", "deployed");

        on.delete();
        assertThat(on.sandbox.runUntil(Duration.ofMinutes(30), this::isGone))
                .as(() -> on.sandbox.explain("example"))
                .isTrue();
    }

    @Test
    void anotherOperatorGoesOn() {
        on.install("0.1.0");
        on.restart(writer -> writer);
        on.install("0.2.0");
        assertThat(on.statuses()).containsExactly("superseded", "deployed");

        on.restart(writer -> writer);
        on.delete();
        assertThat(on.sandbox.runUntil(Duration.ofMinutes(30), this::isGone))
                .as(() -> on.sandbox.explain("example"))
                .isTrue();
    }

    /** Whenever it goes down while the special resource goes: the account goes last, and nothing is seen without it. */
    @Test
    void aDeletionGoesOnWhateverIsGoneAlready() {
        on.install("0.1.0");
        on.delete();
        for (int step = 0; step < 200 && !isGone(); step++) {
            on.restart(writer -> writer);
            on.sandbox.run(Duration.ofSeconds(3));
        }
        assertThat(isGone()).as(() -> on.sandbox.explain("example")).isTrue();
    }

    @Test
    void rightsThatAreTakenAwayComeBack() {
        on.install("0.1.0");
        on.sandbox
                .client()
                .resources(RoleBinding.class)
                .inNamespace("example")
                .withName("sro-recipe-rights")
                .delete();
        on.restart(writer -> writer);
        on.install("0.2.0");
        assertThat(on.statuses()).containsExactly("superseded", "deployed");
    }

    /** Each namespace has an account of its own, and the former one stays until it is not needed. */
    @Test
    void operandsMoveToAnotherNamespaceWithTheirRelease() {
        on.install("0.1.0");
        on.sandbox.apply(on.resource("0.1.0", "").replace("namespace: example", "namespace: moved"));
        on.awaitReady();
        on.sandbox.run(Duration.ofMinutes(10));

        assertThat(on.sandbox
                        .client()
                        .secrets()
                        .inNamespace("moved")
                        .withLabel("owner", "helm")
                        .list()
                        .getItems())
                .hasSize(1)
                .allMatch(secret ->
                        "deployed".equals(secret.getMetadata().getLabels().get("status")));
        assertThat(on.secrets()).isEmpty();
        assertThat(on.sandbox
                        .client()
                        .serviceAccounts()
                        .inNamespace("example")
                        .list()
                        .getItems())
                .noneMatch(account -> account.getMetadata().getName().equals("sro-recipe"));

        on.restart(writer -> writer);
        on.delete();
        assertThat(on.sandbox.runUntil(
                        Duration.ofMinutes(30),
                        () -> isGone()
                                && on.sandbox
                                                .client()
                                                .namespaces()
                                                .withName("moved")
                                                .get()
                                        == null))
                .as(() -> on.sandbox.explain("example"))
                .isTrue();
    }

    private void create(String yaml) {
        on.sandbox
                .client()
                .resource(on.sandbox
                        .client()
                        .getKubernetesSerialization()
                        .unmarshal("---\n" + yaml, GenericKubernetesResource.class))
                .create();
    }

    /** Somebody else has what looks like an account of this special resource, and like something of it, in a namespace of his own. */
    @Test
    void nobodyHoldsItUpFromAnotherNamespace() {
        on.install("0.1.0");
        create("{apiVersion: v1, kind: Namespace, metadata: {name: others}}");
        String marks = "labels: {specialresource.openshift.io/owned: \"true\", sro.dev/special-resource: example},"
                + " annotations: {sro.dev/state: %s, sro.dev/account: others/sro-recipe}";
        create("{apiVersion: v1, kind: ConfigMap, metadata: {name: bait, namespace: others, "
                + marks.formatted("1000-driver") + "}}");
        create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: sro-recipe-rights,"
                + " namespace: others, " + marks.formatted("0000-account") + "}, roleRef: {apiGroup:"
                + " rbac.authorization.k8s.io, kind: ClusterRole, name: none}}");

        on.restart(writer -> writer);
        on.install("0.2.0");

        assertThat(on.statuses()).containsExactly("superseded", "deployed");
    }

    /** The API server refuses nothing that it is asked for again and again. */
    @Test
    void nothingIsAskedForInVain() {
        on.install("0.1.0");
        on.sandbox.run(Duration.ofMinutes(5));
        on.sandbox.cluster().recording().reset();
        on.sandbox.run(Duration.ofMinutes(30));
        assertThat(on.sandbox
                        .cluster()
                        .recording()
                        .entries(entry -> entry.userAgent().equals("sro") && entry.status() == 403))
                .isEmpty();
    }
}
