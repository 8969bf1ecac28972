package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.runtime.Cli;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a recipe that its account may not apply to one that is ready, as an administrator does it. */
class RecipeRightsTest {
    static final String RECIPE = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: recipe, namespace: %2$s}
        data:
          1000-settings.yaml: |
            {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
          2000-cluster.yaml: |
            {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %1$s}, value: 5}
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {name: %1$s, namespace: %2$s}}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: %1$s}
            rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
        """;
    static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: %1$s}
        spec:
          namespace: %1$s-operands
          nodeSelector: {%3$s}
          recipe: {configMap: {name: recipe, namespace: %2$s}}
        """;

    @TempDir
    private Path folder;

    static Optional<Condition> condition(KubernetesClient client, String name, String type) {
        SpecialResource found =
                client.resources(SpecialResource.class).withName(name).get();
        return found == null || found.getStatus() == null
                ? Optional.empty()
                : found.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .findFirst();
    }

    static boolean isReady(KubernetesClient client, String name) {
        return condition(client, name, "Ready")
                .filter(ready -> ready.getStatus().equals("True"))
                .isPresent();
    }

    static boolean isForbidden(KubernetesClient client, String name) {
        return condition(client, name, "Degraded")
                .filter(degraded -> degraded.getReason().equals("ForbiddenToRecipe"))
                .isPresent();
    }

    @Test
    void whatIsForbiddenIsPrintedAppliedAndThenDone() throws Exception {
        try (HttpCluster cluster = new HttpCluster(folder)) {
            cluster.installDefinition();
            KubernetesClient client = cluster.client();
            client.resource(new ClusterRoleBuilder()
                            .withNewMetadata()
                            .withName(AccountManifests.ROLE)
                            .endMetadata()
                            .withRules(ClientRules.recipes())
                            .build())
                    .create();
            String resource = RESOURCE.formatted("kmod", HttpCluster.NAMESPACE, "example.com/device: \"true\"");
            client.resource(client.getKubernetesSerialization()
                            .unmarshal(RECIPE.formatted("kmod", HttpCluster.NAMESPACE), ConfigMap.class))
                    .create();
            client.resource(client.getKubernetesSerialization().unmarshal(resource, SpecialResource.class))
                    .create();
            cluster.start("one");
            HttpCluster.await("ForbiddenToRecipe", () -> isForbidden(client, "kmod"));

            Path file = Files.writeString(folder.resolve("special-resource.yaml"), resource);
            Cli cli = Cli.run(
                    "rbac",
                    "--for",
                    file.toString(),
                    "--apply",
                    "--kubeconfig",
                    folder.resolve("kubeconfig").toString());

            assertThat(cli.err()).isEmpty();
            assertThat(cli.code()).isZero();
            assertThat(cli.out().lines().filter(line -> line.startsWith("# ")))
                    .containsExactly(
                            "# ServiceAccount kmod-operands/sro-recipe: in the namespace of the operands",
                            "# ServiceAccount kmod-operands/sro-recipe: in namespace special-resource-operator, which"
                                    + " is not that of the operands",
                            "# ServiceAccount kmod-operands/sro-recipe: in the whole cluster. Who writes the recipe"
                                    + " then acts there",
                            "# SRO: to see what the recipe has made at the cluster scope");
            assertThat(client.rbac()
                            .clusterRoles()
                            .withName("special-resource-operator-recipes-kmod")
                            .get()
                            .getRules())
                    .as("what the recipe's own role grants, too")
                    .anySatisfy(rule -> {
                        assertThat(rule.getResources()).containsExactly("nodes");
                        assertThat(rule.getVerbs()).isEqualTo(List.of("get"));
                    });
            HttpCluster.await("Ready", () -> isReady(client, "kmod"));
        } finally {
            HttpCluster.giveLogBack();
        }
    }

    @Test
    void aRecipeThatCannotBeRenderedIsGrantedNothing() throws Exception {
        Path file =
                Files.writeString(folder.resolve("special-resource.yaml"), RESOURCE.formatted("kmod", "recipes", ""));

        Cli cli = Cli.run("rbac", "--for", file.toString(), "--kernel", "5.14.0-427.11.1.el9_4.x86_64");

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err()).contains("sro: kmod: RecipeNotFound: ");
        assertThat(cli.out()).isEmpty();
    }

    @Test
    void anotherAccountNeedsThatSroMayActAsIt() throws Exception {
        Path file = Files.writeString(
                folder.resolve("special-resource.yaml"),
                RESOURCE.formatted("kmod", "recipes", "") + "  serviceAccountName: mine\n---\n"
                        + RECIPE.formatted("kmod", "recipes"));

        Cli cli = Cli.run("rbac", "--for", file.toString(), "--kernel", "5.14.0-427.11.1.el9_4.x86_64");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out()).contains("# SRO: to act as that account\n", "impersonate", "kmod-operands/mine");
    }

    @Test
    void whatSroReadsIsGrantedSecretBySecret() throws Exception {
        Path file =
                Files.writeString(folder.resolve("special-resource.yaml"), """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: kmod}
            spec:
              namespace: kmod-operands
              driver:
                containerImage: registry.example.com/kmod:1
                pullSecrets: [{name: login}]
                build: {dockerfile: FROM scratch, secrets: [{name: license}], pushSecret: {name: push}}
                sign: {keySecret: {name: key}, certSecret: {name: cert}, filesToSign: [/opt/a.ko]}
                modprobe: {moduleName: kmod}
              recipe: {configMap: {name: recipe, namespace: recipes}}
            ---
            """ + RECIPE.formatted("kmod", "recipes"));

        Cli cli = Cli.run(
                "rbac",
                "--for",
                file.toString(),
                "--kernel",
                "5.14.0-427.11.1.el9_4.x86_64",
                "--plugins",
                Files.createDirectories(folder.resolve("none")).toString());

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("\n# SRO: to read the Secrets that the special resource names in namespace kmod-operands\n")
                .contains("name: \"special-resource-operator-reads-kmod\"")
                .doesNotContain("\"push\"");
        assertThat(cli.out().replaceAll("\\s+", " "))
                .contains("resourceNames: - \"cert\" - \"key\" - \"license\" verbs: - \"list\" - \"watch\"")
                .contains("resourceNames: - \"login\" verbs: - \"get\"");
    }

    @Test
    void loginsOfRepositoriesAreGrantedForTheChartsThatAreBroughtAlongToo() throws Exception {
        Path file = Files.writeString(folder.resolve("special-resource.yaml"), """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: kmod}
            spec:
              namespace: kmod-operands
              chart:
                name: kmod
                version: 1.0.0
                repository: {name: a, url: "http://127.0.0.1:1", credentialsSecret: {name: own, namespace: logins}}
              dependencies:
              - chart:
                  name: base
                  version: 1.0.0
                  repository: {name: b, url: "http://127.0.0.1:1", credentialsSecret: {name: brought, namespace: logins}}
            """);

        Cli cli = Cli.run(
                "rbac",
                "--for",
                file.toString(),
                "--kernel",
                "5.14.0-427.11.1.el9_4.x86_64",
                "--plugins",
                Files.createDirectories(folder.resolve("none")).toString());

        assertThat(cli.out())
                .contains("# SRO: to read the Secrets that the special resource names in namespace logins\n");
        assertThat(cli.out().replaceAll("\\s+", " "))
                .contains("resourceNames: - \"brought\" - \"own\" verbs: - \"get\"");
    }
}
