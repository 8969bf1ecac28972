package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.runtime.Cli;
import dev.sro.runtime.operator.OperatorMonitoring;
import dev.sro.testkit.contract.ManifestSchemas;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

class InstallFilesTest {
    /** What the repository has of it, for those who install without building. */
    private static final Path KEPT = Path.of("install");

    /** Set it to true to write them anew. */
    private static final boolean UPDATE = Boolean.getBoolean("sro.install.update");

    @TempDir
    private Path folder;

    private Path plugins = Path.of("");

    @BeforeEach
    void buildPlugin() throws IOException {
        plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
    }

    private Map<String, String> written(String... options) throws IOException {
        Path out = folder.resolve("out");
        String[] args = Stream.concat(
                        Stream.of("manifests", out.toString(), "--plugins", plugins.toString()), Stream.of(options))
                .toArray(String[]::new);
        assertThat(Cli.run(args).code()).isZero();
        return files(out);
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString().replace('\\', '/'), Files.readString(file));
            }
        }
        return files;
    }

    private static List<HasMetadata> objects(Map<String, String> files) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        return files.entrySet().stream()
                .filter(file -> file.getKey().matches("kustomize/((monitoring|grafana)/)?[^/]+")
                        && !file.getKey().endsWith("kustomization.yaml"))
                .flatMap(file -> Stream.of(file.getValue().split("(?m)^---\n")))
                .filter(text -> !text.isBlank())
                .map(text -> (HasMetadata) serialization.unmarshal(text))
                .toList();
    }

    private static <T extends HasMetadata> T only(Map<String, String> files, Class<T> type, String name) {
        return objects(files).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(object -> object.getMetadata().getName().equals(name))
                .reduce((a, b) -> {
                    throw new AssertionError("two of " + name);
                })
                .orElseThrow();
    }

    @Test
    void thoseOfTheRepositoryAreUpToDate() throws IOException {
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare-onload");
        Map<String, String> now = written("--plugin", "simple-kmod");
        if (UPDATE) {
            for (Map.Entry<String, String> file : now.entrySet()) {
                Path path = KEPT.resolve(file.getKey());
                Files.createDirectories(Objects.requireNonNull(path.getParent()));
                Files.writeString(path, file.getValue());
            }
        }
        assertThat(files(KEPT))
                .as("write them anew with -Dsro.install.update=true")
                .isEqualTo(now);
    }

    @Test
    void theBaseListsAllItsFilesAndNothingTwice() throws IOException {
        Map<String, String> files = written();
        String list = Objects.requireNonNull(files.get("kustomize/kustomization.yaml"));
        assertThat(files.keySet().stream()
                        .filter(name -> name.matches("kustomize/[^/]+") && !name.endsWith("kustomization.yaml")))
                .hasSize(13)
                .allSatisfy(name -> assertThat(list).contains(name.substring("kustomize/".length())));
        assertThat(objects(files).stream()
                        .map(object ->
                                object.getKind() + " " + object.getMetadata().getName()))
                .doesNotHaveDuplicates()
                .contains(
                        "Namespace special-resource-operator",
                        "CustomResourceDefinition specialresources.sro.openshift.io",
                        "CustomResourceDefinition preflightvalidations.sro.openshift.io",
                        "ClusterRole special-resource-operator-plugin-simple-kmod",
                        "Role special-resource-operator-lease",
                        "NetworkPolicy special-resource-operator");
    }

    /** Not all clusters have the kinds: what watches the operator is a base of its own, and off in the chart. */
    @Test
    void whatWatchesTheOperatorIsForThoseWhoAskForIt() throws IOException {
        Map<String, String> files = written("--namespace", "accelerators");
        assertThat(files.get("kustomize/kustomization.yaml")).doesNotContain("monitor", "rule", "dashboard");
        assertThat(files.get("kustomize/monitoring/kustomization.yaml"))
                .contains("\"servicemonitor.yaml\"", "\"prometheusrule.yaml\"", "\"dashboard.yaml\"");
        assertThat(objects(files).stream()
                        .filter(object -> object.getApiVersion().startsWith("monitoring.coreos.com/")))
                .hasSize(2)
                .allSatisfy(object ->
                        assertThat(object.getMetadata().getNamespace()).isEqualTo("accelerators"))
                .allSatisfy(object -> assertThat(object.getMetadata().getLabels())
                        .containsEntry("app.kubernetes.io/name", "special-resource-operator"));
        ConfigMap dashboard = only(files, ConfigMap.class, "special-resource-operator-dashboard");
        assertThat(dashboard.getMetadata().getLabels()).containsEntry("grafana_dashboard", "1");
        assertThat(dashboard.getData().get("sro-operator.json"))
                .isEqualTo(OperatorMonitoring.create("a", "b").dashboards().get("sro-operator"));

        assertThat(files.get("kustomize/grafana/grafanadashboard.yaml"))
                .contains("name: \"special-resource-operator-dashboard\"", "key: \"sro-operator.json\"");

        String chart = "helm/special-resource-operator/";
        assertThat(files.get(chart + "templates/grafanadashboard.yaml"))
                .startsWith("{{- if and .Values.monitoring.enabled (or .Values.monitoring.grafanaOperator"
                        + " (.Capabilities.APIVersions.Has"
                        + " \"grafana.integreatly.org/v1beta1/GrafanaDashboard\")) }}\n");
        assertThat(files.get(chart + "templates/prometheusrule.yaml"))
                .startsWith("{{- if .Values.monitoring.enabled }}\n")
                .contains("{{ \"{{\" }} $labels.special_resource }}");
        assertThat(files.get(chart + "values.yaml")).contains("monitoring:\n  enabled: false\n");
    }

    @Test
    @EnabledIfEnvironmentVariable(
            named = "SRO_CORPUS",
            matches = ".+",
            disabledReason = "the published CRDs are not here")
    void whatWatchesTheOperatorKeepsThePublishedSchemas() throws IOException {
        try (ManifestSchemas schemas = ManifestSchemas.of(
                Path.of(System.getenv("SRO_CORPUS"), "crds"), "monitoring.coreos.com", "grafana.integreatly.org")) {
            List<HasMetadata> watching = objects(written()).stream()
                    .filter(object ->
                            object.getApiVersion().matches("(monitoring.coreos.com|grafana.integreatly.org)/.*"))
                    .toList();
            assertThat(watching).hasSize(3);
            assertThat(schemas.checkAll(watching)).isEmpty();
        }
    }

    /** OpenShift gives pods a user of their namespace's, and refuses those that name another. */
    @Test
    void namesNoUser() throws IOException {
        PodSecurityContext context = only(written(), Deployment.class, "special-resource-operator")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getSecurityContext();

        assertThat(context.getRunAsNonRoot()).isTrue();
        assertThat(context.getRunAsUser()).isNull();
        assertThat(context.getRunAsGroup()).isNull();
    }

    @Test
    void takesNamespaceAndImage() throws IOException {
        Map<String, String> files = written("--namespace", "accelerators", "--image", "registry.example/sro@sha256:0");

        Deployment deployment = only(files, Deployment.class, "special-resource-operator");
        assertThat(deployment.getMetadata().getNamespace()).isEqualTo("accelerators");
        assertThat(deployment
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage())
                .isEqualTo("registry.example/sro@sha256:0");
        RoleBinding lease = only(files, RoleBinding.class, "special-resource-operator-lease");
        assertThat(lease.getMetadata().getNamespace()).isEqualTo("accelerators");
        assertThat(lease.getSubjects().get(0).getNamespace()).isEqualTo("accelerators");
        assertThat(only(files, RoleBinding.class, "special-resource-operator-events")
                        .getMetadata()
                        .getNamespace())
                .as("where Kubernetes keeps events about objects without a namespace")
                .isEqualTo("default");
    }

    @Test
    void asksForNoMoreThanIsNamed() throws IOException {
        assertThat(objects(written()).stream()
                        .filter(ClusterRole.class::isInstance)
                        .map(ClusterRole.class::cast))
                .filteredOn(role -> !role.getMetadata().getName().equals(AccountManifests.ROLE))
                .hasSize(4)
                .flatExtracting(ClusterRole::getRules)
                .allSatisfy(rule -> {
                    assertThat(rule.getVerbs()).doesNotContain("*", "escalate");
                    if (rule.getVerbs().contains("bind") || rule.getVerbs().contains("impersonate")) {
                        assertThat(rule.getResourceNames()).hasSize(1);
                    }
                    assertThat(rule.getResources()).doesNotContain("*", "secrets");
                    assertThat(rule.getApiGroups()).doesNotContain("*");
                });
    }

    @Test
    void everyValueOfTheChartHasItsSchemaAndItsUse() throws IOException {
        Map<String, String> files = written();
        String chart = "helm/special-resource-operator/";
        JsonNode values = new ObjectMapper()
                .valueToTree(new KubernetesSerialization().unmarshal(files.get(chart + "values.yaml"), Map.class));
        JsonNode schema = new ObjectMapper().readTree(files.get(chart + "values.schema.json"));
        String templates = String.join(
                "",
                files.entrySet().stream()
                        .filter(file -> file.getKey().contains("/templates/"))
                        .map(Map.Entry::getValue)
                        .toList());
        check(values, schema, ".Values", templates);
    }

    private static void check(JsonNode values, JsonNode schema, String path, String templates) {
        values.fieldNames().forEachRemaining(key -> {
            JsonNode known = schema.path("properties").path(key);
            assertThat(known.isMissingNode())
                    .as(path + "." + key + " in the schema")
                    .isFalse();
            if (known.has("properties")) {
                check(values.path(key), known, path + "." + key, templates);
            } else {
                assertThat(templates).contains(path + "." + key);
            }
        });
    }

    @Test
    void writesNothingWithAFileThatIsNoPlugin() throws IOException {
        Files.writeString(plugins.resolve("broken.jar"), "no archive");

        Cli cli = Cli.run("manifests", folder.resolve("out").toString(), "--plugins", plugins.toString());

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err()).startsWith("rejected: ").contains("broken.jar");
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(Cli.run("manifests", folder.toString(), "--namespace", "A_B").err())
                .isEqualTo("sro: --namespace A_B: is not the name of a namespace\n");
    }

    @Test
    void rightsToBuildAreGrantedToWhomeverAsksForThem() throws IOException {
        String role = "special-resource-operator-builds";
        assertThat(objects(written()).stream()
                        .map(object -> object.getMetadata().getName()))
                .doesNotContain(role);
        assertThat(only(written("--builds"), ClusterRole.class, role).getRules())
                .anySatisfy(rule -> {
                    assertThat(rule.getResources()).containsExactly("buildconfigs");
                    assertThat(rule.getVerbs()).contains("create", "patch");
                })
                .noneMatch(rule -> rule.getResources().contains("secrets"));
        assertThat(Cli.run("rbac", "--plugins", plugins.toString()).out()).doesNotContain("shipwright");
        assertThat(Cli.run("rbac", "--builds", "--plugins", plugins.toString())
                        .out()
                        .lines())
                .anySatisfy(line -> assertThat(line).matches("buildruns in shipwright.io .* cluster +SRO"));
    }

    /** Who may write admission policies can change every pod. */
    @Test
    void rightsToPartitionAndAccountsOfRecipesAreForThoseWhoWantThem() throws IOException {
        String role = "special-resource-operator-partitioning";
        Map<String, String> files = written();
        String chart = "helm/special-resource-operator/templates/";

        assertThat(objects(files).stream().map(object -> object.getMetadata().getName()))
                .doesNotContain(role);
        assertThat(files.get("kustomize/partitioning/rbac.yaml")).contains(role, "mutatingadmissionpolicies");
        assertThat(files.get(chart + "rbac-partitioning.yaml"))
                .startsWith("{{- if or .Values.partitioning.enabled .Values.webhook.enabled }}\n");
        assertThat(files.get(chart + "rbac.yaml")).doesNotContain("mutatingadmission", "impersonate");
        assertThat(files.get(chart + "rbac-recipes.yaml"))
                .startsWith("{{- if .Values.recipeAccounts.enabled }}\n")
                .contains("impersonate");
        assertThat(only(written("--partitioning"), ClusterRole.class, role).getRules())
                .isNotEmpty();
        assertThat(Cli.run("rbac", "--plugins", plugins.toString()).out()).doesNotContain("mutatingadmission");
        assertThat(Cli.run("rbac", "--partitioning", "--plugins", plugins.toString())
                        .out())
                .contains("mutatingadmissionpolicies");
    }

    /** Of a plugin that nobody chose: beside the base, and in the chart for whoever names it. */
    @Test
    void rightsOfOtherPluginsAreThereForWhoeverWantsThem() throws IOException {
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        String role = "special-resource-operator-plugin-nvidia-gpu";

        Map<String, String> all = written();
        assertThat(only(all, ClusterRole.class, role).getRules()).isNotEmpty();
        Map<String, String> files = written("--plugin", "simple-kmod");

        assertThat(objects(files).stream().map(object -> object.getMetadata().getName()))
                .contains("special-resource-operator-plugin-simple-kmod")
                .doesNotContain(role);
        assertThat(files.get("kustomize/plugins/nvidia-gpu/kustomization.yaml")).contains("\"rbac.yaml\"");
        assertThat(new KubernetesSerialization()
                        .<ClusterRole>unmarshal(
                                Objects.requireNonNull(files.get("kustomize/plugins/nvidia-gpu/rbac.yaml"))
                                        .split("(?m)^---\n")[1])
                        .getRules())
                .isEqualTo(only(all, ClusterRole.class, role).getRules());
        assertThat(files).doesNotContainKey("kustomize/plugins/simple-kmod/rbac.yaml");
        String chart = "helm/special-resource-operator/";
        assertThat(files.get(chart + "values.yaml")).contains("\nplugins: [simple-kmod]\n");
        assertThat(files.get(chart + "values.schema.json")).contains("\"nvidia-gpu\"", "\"simple-kmod\"");
        assertThat(files.get(chart + "templates/rbac-plugin-nvidia-gpu.yaml"))
                .startsWith("{{- if has \"nvidia-gpu\" .Values.plugins }}\n")
                .contains(role);
        assertThat(files.get(chart + "templates/rbac-builds.yaml"))
                .startsWith("{{- if or .Values.builds.enabled (has \"nvidia-gpu\" .Values.plugins) }}\n");
        assertThat(Cli.run("manifests", folder.toString(), "--plugins", plugins.toString(), "--plugin", "gpu")
                        .err())
                .isEqualTo("sro: --plugin gpu: is not among the plugins, which are [nvidia-gpu, simple-kmod]\n");
    }

    @Test
    void saysWhoAskedForWhat() {
        Cli cli = Cli.run("rbac", "--plugins", plugins.toString(), "--namespace", "here");

        assertThat(cli.code()).isZero();
        // What did not fit its line is below it, further in.
        assertThat(cli.out().replaceAll("\n +", " ").lines())
                .anySatisfy(line -> assertThat(line).matches("nodes +list,watch,patch +cluster +SRO"))
                .anySatisfy(line -> assertThat(line)
                        .matches("leases in coordination.k8s.io +get,patch +namespace here +SRO"
                                + " only special-resource-operator"))
                .anySatisfy(line -> assertThat(line).matches("jobs in batch .* cluster +plugin simple-kmod.*"));
    }
}
