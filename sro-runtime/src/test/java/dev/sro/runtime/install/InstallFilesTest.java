package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import io.fabric8.kubernetes.api.model.HasMetadata;
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
                .filter(file ->
                        file.getKey().startsWith("kustomize/") && !file.getKey().endsWith("kustomization.yaml"))
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
        Map<String, String> now = written();
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
                        .filter(name -> name.startsWith("kustomize/") && !name.endsWith("kustomization.yaml")))
                .hasSize(11)
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
                .hasSize(2)
                .flatExtracting(ClusterRole::getRules)
                .allSatisfy(rule -> {
                    assertThat(rule.getVerbs()).doesNotContain("*", "escalate", "bind", "impersonate");
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
    void saysWhoAskedForWhat() {
        Cli cli = Cli.run("rbac", "--plugins", plugins.toString(), "--namespace", "here");

        assertThat(cli.code()).isZero();
        assertThat(cli.out().lines())
                .anySatisfy(line -> assertThat(line).matches("nodes +list,watch,patch +cluster +SRO"))
                .anySatisfy(line -> assertThat(line)
                        .matches("leases in coordination.k8s.io only special-resource-operator +get,patch"
                                + " +namespace here +SRO"))
                .anySatisfy(line -> assertThat(line).matches("jobs in batch .* cluster +plugin simple-kmod"));
    }
}
