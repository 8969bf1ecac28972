package dev.sro.runtime.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import dev.sro.runtime.GoTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A catalogue of files, which the Operator Framework's own opm makes of our bundles and takes. */
@EnabledIf(value = "isHere", disabledReason = "no opm here: run .ci/opm/build.sh, or set SRO_OPM to the command")
class CatalogueTest {

    private static final String PACKAGE = "special-resource-operator";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder = Path.of("");

    private static List<JsonNode> bundles = List.of();

    static boolean isHere() {
        return GoTool.find("opm").isPresent();
    }

    /** What opm said, and whether that was in good order. */
    private record Said(boolean good, String out, String err) {}

    private static Said opm(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(GoTool.find("opm").orElseThrow().toString()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        int code = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        return new Said(code == 0, Files.readString(out), Files.readString(err));
    }

    /** Three versions; the second one replaces the first one, the third one both. */
    @BeforeAll
    static void render() throws Exception {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare");
        List<JsonNode> rendered = new ArrayList<>();
        rendered.addAll(render(plugins, "0.1.0"));
        rendered.addAll(render(plugins, "0.2.0", "--replaces", "0.1.0"));
        rendered.addAll(
                render(plugins, "0.3.0", "--replaces", "0.1.0", "--skips", "0.2.0", "--skip-range", ">=0.1.0 <0.3.0"));
        bundles = rendered;
    }

    private static List<JsonNode> render(Path plugins, String version, String... options)
            throws IOException, InterruptedException {
        Path to = folder.resolve("bundle-" + version);
        List<String> arguments = new ArrayList<>(List.of("bundle", to.toString(), "--plugins", plugins.toString()));
        arguments.addAll(
                List.of("--bundle-version", version, "--image", "registry.example/sro@sha256:" + "a".repeat(64)));
        arguments.addAll(List.of(options));
        assertThat(Cli.run(arguments.toArray(String[]::new)).code()).isZero();
        Said said = opm("render", to.toString(), "--alpha-image-ref-template", "registry.example/bundle:v{{.Version}}");
        assertThat(said.good()).as(said.err()).isTrue();
        try (MappingIterator<JsonNode> all = JSON.readerFor(JsonNode.class).readValues(said.out())) {
            return all.readAll();
        }
    }

    @Test
    void aBundleIsRenderedWithItsKindsAndItsImages() throws IOException {
        JsonNode bundle = bundles.get(0);
        List<String> images = new ArrayList<>();
        ((List<?>) Objects.requireNonNull(spec("0.1.0").get("relatedImages")))
                .forEach(image -> images.add(String.valueOf(((Map<?, ?>) image).get("image"))));
        images.add("registry.example/bundle:v0.1.0");

        assertThat(bundles).extracting(one -> one.path("schema").asText()).containsOnly("olm.bundle");
        assertThat(bundle.path("name").asText()).isEqualTo(PACKAGE + ".v0.1.0");
        assertThat(bundle.path("package").asText()).isEqualTo(PACKAGE);
        assertThat(values(bundle, "olm.gvk"))
                .extracting(kind -> kind.path("kind").asText())
                .contains("SpecialResource", "SpecialResourceModule");
        assertThat(values(bundle, "olm.package"))
                .extracting(one -> one.path("version").asText())
                .containsExactly("0.1.0");
        assertThat(StreamSupport.stream(bundle.path("relatedImages").spliterator(), false)
                        .map(image -> image.path("image").asText()))
                .containsAll(images);
    }

    private static List<JsonNode> values(JsonNode bundle, String type) {
        return StreamSupport.stream(bundle.path("properties").spliterator(), false)
                .filter(property -> property.path("type").asText().equals(type))
                .map(property -> property.path("value"))
                .toList();
    }

    @Test
    void theirGraphOfUpdatesIsTakenAndLeadsToTheNewest() throws Exception {
        Path catalogue = catalogue("good", """
            schema: olm.channel
            package: special-resource-operator
            name: stable
            entries:
            - name: special-resource-operator.v0.1.0
            - name: special-resource-operator.v0.2.0
              replaces: special-resource-operator.v0.1.0
            - name: special-resource-operator.v0.3.0
              replaces: special-resource-operator.v0.1.0
              skips: [special-resource-operator.v0.2.0]
              skipRange: ">=0.1.0 <0.3.0"
            """);

        Said valid = opm("validate", catalogue.toString());
        assertThat(valid.good()).as(valid.err()).isTrue();

        Said heads = opm("alpha", "list", "channels", catalogue.toString(), PACKAGE);
        assertThat(heads.good()).as(heads.err()).isTrue();
        assertThat(heads.out()).containsPattern(PACKAGE + " +stable +" + PACKAGE + "\\.v0\\.3\\.0");
    }

    /** What the channel says is what the bundles say of themselves. */
    @Test
    void eachBundleSaysItsPlaceInTheGraph() throws IOException {
        assertThat(spec("0.1.0").containsKey("replaces")).isFalse();
        assertThat(spec("0.2.0").get("replaces")).isEqualTo(PACKAGE + ".v0.1.0");
        assertThat(spec("0.3.0").get("replaces")).isEqualTo(PACKAGE + ".v0.1.0");
        assertThat(spec("0.3.0").get("skips")).isEqualTo(List.of(PACKAGE + ".v0.2.0"));
    }

    private static Map<?, ?> spec(String version) throws IOException {
        String csv = Files.readString(folder.resolve("bundle-" + version).resolve(GoodBundle.CSV));
        return (Map<?, ?>)
                Objects.requireNonNull(Yaml.documents("csv", csv).get(0).get("spec"));
    }

    @Test
    void aGraphWithTwoEndsOrWithABundleThatIsMissingIsRefused() throws Exception {
        Path two = catalogue("two-ends", """
            schema: olm.channel
            package: special-resource-operator
            name: stable
            entries:
            - name: special-resource-operator.v0.1.0
            - name: special-resource-operator.v0.2.0
              replaces: special-resource-operator.v0.1.0
            - name: special-resource-operator.v0.3.0
              replaces: special-resource-operator.v0.1.0
            """);
        Path missing = catalogue("missing", """
            schema: olm.channel
            package: special-resource-operator
            name: stable
            entries:
            - name: special-resource-operator.v0.1.0
            - name: special-resource-operator.v0.2.0
              replaces: special-resource-operator.v0.1.0
            - name: special-resource-operator.v0.3.0
              replaces: special-resource-operator.v0.2.0
            - name: special-resource-operator.v0.4.0
              replaces: special-resource-operator.v0.3.0
            """);

        Said first = opm("validate", two.toString());
        assertThat(first.good()).isFalse();
        assertThat(first.err()).contains("multiple channel heads");
        Said second = opm("validate", missing.toString());
        assertThat(second.good()).isFalse();
        assertThat(second.err()).contains(PACKAGE + ".v0.4.0");
    }

    /** As the page says it: the package, the channel and the bundles in a folder. */
    private static Path catalogue(String name, String channel) throws IOException, InterruptedException {
        Path catalogue = Files.createDirectories(folder.resolve("catalogue-" + name));
        Said start = opm("init", PACKAGE, "--default-channel", "stable", "--output", "yaml");
        assertThat(start.good()).as(start.err()).isTrue();
        Files.writeString(catalogue.resolve("package.yaml"), start.out());
        Files.writeString(catalogue.resolve("channel.yaml"), channel);
        Files.writeString(
                catalogue.resolve("bundles.json"),
                bundles.stream().map(JsonNode::toString).collect(Collectors.joining("\n")));
        return catalogue;
    }
}
