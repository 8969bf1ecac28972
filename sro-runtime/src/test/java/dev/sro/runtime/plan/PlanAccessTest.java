package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import dev.sro.testkit.server.Recording;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan says what the account of the recipe may not write, before anything is applied. */
class PlanAccessTest {

    static final String RECIPE = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: recipe, namespace: recipes}
        data:
          1000-settings.yaml: |
            {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
          2000-cluster.yaml: |
            {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: kmod}, value: 5}
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {name: elsewhere, namespace: recipes}}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: kmod}
            rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
        """;

    static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: kmod}
        spec:
          namespace: kmod-operands
          nodeSelector: {example.com/device: "one"}
          recipe: {configMap: {name: recipe, namespace: recipes}}
        """;

    @TempDir
    private Path folder;

    private HttpSandbox on;
    private Path file;

    @BeforeEach
    void recipeThatIsNotApplied() throws IOException {
        on = new HttpSandbox(folder);
        on.node("a", "one");
        on.sandbox.settle();
        on.sandbox.kill();
        apply("{apiVersion: v1, kind: Namespace, metadata: {name: recipes}}\n---\n" + RECIPE);
        on.sandbox
                .client()
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(AccountManifests.ROLE)
                        .endMetadata()
                        .withRules(ClientRules.recipes())
                        .build())
                .create();
        file = Files.writeString(folder.resolve("kmod.yaml"), RESOURCE);
        on.sandbox.cluster().recording().start();
    }

    @AfterEach
    void close() {
        on.close();
    }

    private void apply(String documents) {
        KubernetesClient client = on.sandbox.client();
        client.load(new ByteArrayInputStream(("---\n" + documents).getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> client.resource(object).serverSideApply());
    }

    private Cli plan(String... args) {
        List<String> all = new ArrayList<>(List.of(
                "-f", file.toString(), "--plugins", folder.resolve("plugins").toString()));
        all.addAll(List.of(args));
        return on.run("plan", all.toArray(String[]::new));
    }

    private List<Recording.Entry> writes() {
        return on.sandbox.cluster().recording().entries(Recording.Entry::isWrite);
    }

    @Test
    void whatTheAccountMayNotWriteIsNamedWithRightAndFixBeforeAnythingIsApplied() {
        Cli cli = plan();

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isEqualTo(1);
        String account = "! ForbiddenToRecipe: ServiceAccount kmod-operands/sro-recipe may not ";
        assertThat(cli.out().lines().map(String::strip))
                .containsSubsequence(
                        "+ PriorityClass kmod",
                        account + "get, create, patch priorityclasses.scheduling.k8s.io at the cluster scope")
                .containsSubsequence(
                        "+ ConfigMap recipes/elsewhere", account + "get, create, patch configmaps in namespace recipes")
                .containsSubsequence(
                        "+ ClusterRole kmod",
                        account + "get, create, patch clusterroles.rbac.authorization.k8s.io at the cluster scope",
                        account + "grant what it has not itself: get nodes at the cluster scope")
                .contains("Refused: 3 objects, as the account of the recipe lacks rights. If the recipe shall have"
                        + " them, once namespace kmod-operands is there: sro rbac --for " + file + " --apply");
        assertThat(cli.out()).as("comes with the installation").doesNotContain("configmaps in namespace kmod-operands");
        assertThat(writes()).isNotEmpty().allMatch(write -> write.path().endsWith("/subjectaccessreviews"));
        assertThat(writes())
                .as(
                        "three verbs of three kinds and escalate, each for all objects and for the one, and what the role gives")
                .hasSize(2 * (3 * 3 + 1) + 1);
    }

    @Test
    void aProgramGetsEachRefusalWithItsParts() {
        assertThat(plan("-o", "json").out())
                .contains(
                        "\"refused\"",
                        "\"reason\" : \"ForbiddenToRecipe\"",
                        "\"account\" : \"kmod-operands/sro-recipe\"")
                .contains("\"resource\" : \"priorityclasses.scheduling.k8s.io\"", "\"toGrantIt\" : true");
    }

    @Test
    void whatWasGrantedIsNotRefused() {
        apply("{apiVersion: v1, kind: Namespace, metadata: {name: kmod-operands}}");
        assertThat(on.run("rbac", "--for", file.toString(), "--apply").code()).isZero();

        Cli cli = plan();

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out()).contains("+ PriorityClass kmod").doesNotContain("Refused", "Not checked", "Forbidden");
    }

    @Test
    void recipesAppliedBySroItselfAreNotChecked() {
        Cli cli = plan("--recipe-account=");

        assertThat(cli.code()).isZero();
        assertThat(cli.out()).contains("+ PriorityClass kmod").doesNotContain("Refused", "Not checked");
        assertThat(writes()).isEmpty();
    }

    @Test
    void whoMayNotAskIsToldThatNothingWasCheckedAndWhatIsNeeded() throws IOException {
        Cli cli = as("[{apiGroups: ['*'], resources: ['*'], verbs: [get, list, watch]}]");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("Not checked whether ServiceAccount kmod-operands/sro-recipe may write this: you may neither"
                        + " create subjectaccessreviews.authorization.k8s.io nor impersonate the account: ")
                .contains("It needs, beyond ClusterRole special-resource-operator-recipes, which SRO binds to it in"
                        + " namespace kmod-operands:")
                .contains("\n  create, get, patch priorityclasses.scheduling.k8s.io at the cluster scope\n")
                .doesNotContain("Refused", "configmaps in namespace kmod-operands");
    }

    @Test
    void whoMayActAsTheAccountAsksAsIt() throws IOException {
        Cli cli = as(
                "[{apiGroups: ['*'], resources: ['*'], verbs: [get, list, watch]},"
                        + " {apiGroups: [''], resources: [serviceaccounts], resourceNames: [sro-recipe], verbs: [impersonate]}]");

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.out()).contains("Refused: 3 objects").doesNotContain("Not checked");
    }

    /** The plan by the rights of somebody who has these rules in the whole cluster. */
    private Cli as(String rules) throws IOException {
        apply("""
            {apiVersion: v1, kind: ServiceAccount, metadata: {name: looker, namespace: recipes}}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: looker}
            rules: %s
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: looker}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: looker}
            subjects: [{kind: ServiceAccount, name: looker, namespace: recipes}]
            """.formatted(rules));
        String token = on.sandbox
                .client()
                .serviceAccounts()
                .inNamespace("recipes")
                .withName("looker")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        Path kubeconfig = Files.writeString(
                folder.resolve("looker"),
                Files.readString(Path.of(on.kubeconfig)).replace("  user: {}", "  user: {token: " + token + "}"));
        return Cli.run(
                "plan",
                "-f",
                file.toString(),
                "--plugins",
                folder.resolve("plugins").toString(),
                "--kubeconfig",
                kubeconfig.toString());
    }

    @Test
    void ofFilesAloneItIsSaidWhatIsNeededAndThatNobodyWasAsked() throws IOException {
        Files.writeString(file, RESOURCE + "---\n" + RECIPE);

        Cli cli = plan("--kernel", ChartFiles.K1, "--recipe-account", "sro-recipe");

        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("Not checked whether ServiceAccount kmod-operands/sro-recipe may write this: no cluster is"
                        + " asked with --nodes and --kernel.")
                .contains("\n  create, get, patch configmaps in namespace recipes\n")
                .contains("\n  get nodes at the cluster scope, as a role of the recipe gives that on\n")
                .contains(
                        "To grant that, where the cluster does not yet, once namespace kmod-operands is there: sro rbac --for "
                                + file + " --apply");
        assertThat(writes()).isEmpty();
    }

    @Test
    void anAccountOfOnesOwnNeedsAllOfIt() throws IOException {
        Files.writeString(file, RESOURCE + "  serviceAccountName: mine\n---\n" + RECIPE);

        assertThat(plan("--kernel", ChartFiles.K1).out())
                .contains("Not checked whether ServiceAccount kmod-operands/mine may write this", "It needs:\n")
                .contains("\n  create, get, patch configmaps in namespace kmod-operands\n");
    }
}
