package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.yaml.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs read has a form for programs, under one name in all commands. */
class OutputFormsTest {

    /** Commands without an answer, and why: what they print is for the person who waits for them. */
    private static final Map<String, String> SILENT = Map.ofEntries(
            Map.entry("sro operator", "runs until it is stopped"),
            Map.entry("sro slices allocator", "runs until it is stopped"),
            Map.entry("sro slices explainer", "runs until it is stopped"),
            Map.entry("sro slices scheduler", "runs until it is stopped"),
            Map.entry("sro dev", "runs until it is stopped"),
            Map.entry("sro demo", "is looked at"),
            Map.entry("sro test", "is the output of JUnit"),
            Map.entry("sro help", "is read"),
            Map.entry("sro generate-completion", "is a script"),
            Map.entry("sro new", "writes files"),
            Map.entry("sro install-artifacts", "writes files"),
            Map.entry("sro must-gather", "writes files"),
            Map.entry("sro bundle", "writes files"),
            Map.entry("sro manifests", "writes files"),
            Map.entry("sro slices scheduler-config", "prints the file that kube-scheduler reads"),
            Map.entry("sro cdi convert", "prints the file that it makes"));

    private static final String FEATURES = """
        apiVersion: nfd.k8s-sigs.io/v1alpha1
        kind: NodeFeatureRule
        metadata: {name: rule}
        spec:
          rules:
          - name: card
            labels: {example.com/card: "true"}
            matchFeatures:
            - feature: pci.device
              matchExpressions: {vendor: {op: In, value: ["1da3"]}}
        ---
        apiVersion: nfd.k8s-sigs.io/v1alpha1
        kind: NodeFeature
        metadata:
          name: node-1
          labels: {nfd.node.kubernetes.io/node-name: node-1}
        spec:
          features:
            instances:
              pci.device: {elements: [{attributes: {vendor: "1da3"}}]}
        """;

    private static final String OLD = """
        apiVersion: sro.openshift.io/v1alpha1
        kind: SpecialResource
        metadata: {name: simple-kmod, namespace: openshift-sro}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: simple-kmod, namespace: openshift-sro}
        data: {"1000-a.yaml": ""}
        """;

    @TempDir
    private Path folder;

    @Test
    void everyCommandWithAnAnswerHasIt() {
        List<String> without = CommandTree.leaves().stream()
                .filter(command -> command.getCommandSpec().findOption("-o") == null)
                .map(command -> command.getCommandSpec().qualifiedName())
                .filter(name -> name.equals("sro help") || !name.endsWith(" help"))
                .sorted()
                .toList();

        assertThat(without)
                .containsExactlyElementsOf(SILENT.keySet().stream().sorted().toList());
    }

    @Test
    void everyCommandWithAnAnswerTakesTheSameWords() {
        assertThat(CommandTree.leaves().stream()
                        .map(command -> command.getCommandSpec().findOption("-o"))
                        .filter(Objects::nonNull))
                .isNotEmpty()
                .allSatisfy(option -> {
                    assertThat(Stream.of(option.type().getEnumConstants()).map(String::valueOf))
                            .as(option.command().qualifiedName())
                            .contains("text", "table", "json", "yaml");
                    assertThat(String.join(" ", option.description()))
                            .as(option.command().qualifiedName())
                            .contains("text", "table", "json", "yaml");
                });
    }

    @Test
    void aWordThatIsNoneNamesTheOneThatWasMeant() {
        for (String command : List.of("plugins", "crd", "migrate")) {
            Cli run = Cli.run(command, "-o", "tabel");

            assertThat(run.code()).isEqualTo(ExitCodes.USAGE);
            assertThat(run.err()).contains("'tabel'", "; did you mean table?");
        }
        assertThat(Cli.run("slices", "publish", "--model", "A100-40GB", "--only", "clases")
                        .err())
                .contains("; did you mean CLASSES?");
        assertThat(Cli.run("slices", "models", "-o", "picture").err()).doesNotContain("did you mean");
    }

    @Test
    void objectsToApplyAreOneListForPrograms() throws Exception {
        assertThat(json("crd", "-o", "json").at("/items").findValuesAsText("kind"))
                .contains("CustomResourceDefinition");
        assertThat(json("slices", "claim", "--profile", "1g.5gb", "-o", "json")
                        .at("/items/0/kind")
                        .asText())
                .isEqualTo("ResourceClaimTemplate");
        assertThat(json("slices", "publish", "--model", "A100-40GB", "-o", "json")
                        .at("/items")
                        .size())
                .isGreaterThan(1);
        for (String name : List.of("text", "table", "yaml")) {
            assertThat(Cli.run("crd", "-o", name).out())
                    .as(name)
                    .isEqualTo(Cli.run("crd").out());
        }
    }

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("input.yaml"), text);
    }

    private static JsonNode json(String... arguments) throws Exception {
        Cli run = Cli.run(arguments);
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void featuresAreATreeToo() throws Exception {
        Path file = file(FEATURES);

        assertThat(Cli.run("features", "-f", file.toString()).out()).contains("label example.com/card=true");
        assertThat(json("features", "-f", file.toString(), "-o", "json")
                        .at("/0/labels/example.com~1card")
                        .asText())
                .isEqualTo("true");
        assertThat(Cli.run("features", "-f", file.toString(), "-o", "yaml").out())
                .contains("node: \"node-1\"");
    }

    @Test
    void whatIsConvertedIsAListForKubectl() throws Exception {
        JsonNode list = json("migrate", file(OLD).toString(), "-o", "json");

        assertThat(list.path("kind").asText()).isEqualTo("List");
        assertThat(list.path("items").size()).isPositive();
    }

    @Test
    void rightsAreAListForKubectl() throws Exception {
        Path plugins = Cli.plugins(Files.createDirectory(folder.resolve("plugins")));

        JsonNode list = json("rbac", "--plugins", plugins.toString(), "-o", "json");

        assertThat(list.path("kind").asText()).isEqualTo("List");
        assertThat(list.at("/items").findValuesAsText("kind")).contains("ClusterRole");
    }

    @Test
    void slicesAreYamlToo() {
        Cli run = Cli.run("slices", "pack", "--model", "A100-40GB", "--want", "1g.5gb=3", "-o", "yaml");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(Yaml.documents("out", run.out())).isNotEmpty();
    }

    @Test
    void theOldNameOfTheOptionIsTaken() throws Exception {
        assertThat(json("slices", "models", "--format", "json").isEmpty()).isFalse();
        assertThat(Cli.run("slices", "models", "-o", "table").out())
                .isEqualTo(Cli.run("slices", "models").out());
    }
}
