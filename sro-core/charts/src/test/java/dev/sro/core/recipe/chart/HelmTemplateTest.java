package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Problem;
import dev.sro.core.yaml.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What comes out equals {@code helm template --include-crds}, file by file, to the letter, hooks included. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(
        value = "dev.sro.core.recipe.chart.RealHelm#isHere",
        disabledReason = "no helm here: run .ci/helm/build.sh, or set SRO_HELM to the command")
class HelmTemplateTest {
    private final HelmRenderer renderer = new HelmRenderer();
    private final RealHelm helm = RealHelm.find().orElseThrow();
    private RenderRequest.Cluster cluster = Rendering.CLUSTER;
    private Path folder = Path.of("");

    /** Helm puts the given versions after those that it knows: the cluster serves both. */
    @BeforeAll
    void askHelmForItsVersions(@TempDir Path given) throws IOException, InterruptedException {
        folder = given;
        Path chart = Files.createDirectories(folder.resolve("versions"));
        Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: versions\nversion: 0.1.0\n");
        Files.createDirectory(chart.resolve("templates"));
        Files.writeString(chart.resolve("templates/a.yaml"), "all: {{ .Capabilities.APIVersions | toJson }}\n");
        RenderRequest request = Rendering.request(new ChartLoader().fromDirectory("versions", chart), Map.of());
        String all = Objects.requireNonNull(
                        helm.template(chart, request, folder).documents().get("versions/templates/a.yaml"))
                .get(0);
        TreeSet<String> versions = new TreeSet<>();
        ((List<?>) Objects.requireNonNull(Json.read(all.substring(all.indexOf('[')))))
                .forEach(version -> versions.add((String) version));
        assertThat(versions).contains("apps/v1", "example.com/v1");
        cluster = new RenderRequest.Cluster("v1.30.1", versions);
    }

    @AfterAll
    void close() {
        renderer.close();
    }

    @TestFactory
    Stream<DynamicTest> ownCharts() {
        return Stream.of("states", "dependencies", "functions", "schema", "order", "legacy")
                .map(name -> compared(name, Fixtures.CHARTS.resolve(name), Rendering.VALUES));
    }

    @TestFactory
    @EnabledIf(
            value = "dev.sro.core.recipe.chart.Fixtures#corpusIsHere",
            disabledReason = "no corpus here: set SRO_CORPUS to the folder that has charts/")
    Stream<DynamicTest> chartsOfOthers() throws IOException {
        Path charts = Fixtures.corpus().orElseThrow().resolve("charts");
        Map<String, Object> runtime = new HashMap<>(
                ChartYaml.map("global-values.yaml", Files.readString(charts.resolve("global-values.yaml"))));
        runtime.put("kernelFullVersion", "5.14.0-427.el9.x86_64");
        runtime.put("buildArgs", List.of(Map.of("name", "KMODVER", "value", "SRO")));
        return Stream.of(Objects.requireNonNull(charts.toFile().list()))
                .sorted()
                .filter(name -> Files.isDirectory(charts.resolve(name)))
                .map(name -> compared(name, charts.resolve(name), runtime));
    }

    private DynamicTest compared(String name, Path path, Map<String, Object> values) {
        return DynamicTest.dynamicTest(name, () -> {
            Chart chart = new ChartLoader().fromDirectory(name, path);
            RenderRequest request = request(chart, values);
            RealHelm.Output expected = helm.template(path, request, folder);
            assertThat(expected.err()).doesNotContain("Error");
            RenderedChart rendered = renderer.render(request);
            assertThat(rendered.problems()).isEmpty();
            assertThat(documents(rendered)).isEqualTo(expected.documents());
        });
    }

    /** Helm gives up at the first file; ours has the same words, and goes on. */
    @Test
    void problemsHaveTheWordsOfHelm() throws IOException, InterruptedException {
        for (String name : List.of("failures", "unparsable")) {
            Chart chart = Fixtures.chart(name);
            RenderRequest request = request(chart, Map.of());
            RealHelm.Output expected = helm.template(Fixtures.CHARTS.resolve(name), request, folder);
            assertThat(expected.status()).isEqualTo(1);
            String words = expected.err().replaceFirst("^Error: ", "").replaceFirst("(?s)\n\nUse --debug.*", "");
            assertThat(renderer.render(request).problems().values())
                    .extracting(Problem::message)
                    .contains("chart " + chart.label() + ": " + words);
        }
    }

    @Test
    void helmReadsTheSameDirectoryAsWeDo() throws IOException, InterruptedException {
        // All files in one text, as .Files has them: .helmignore decides.
        Path chart = Files.createDirectories(folder.resolve("listing"));
        for (String file : List.of(
                "a.txt", "b.bak", "docs/x.txt", "docs/keep/y.txt", "tmp/z", "deep/tmp/z", "deep/kept", ".hidden")) {
            Path path = chart.resolve(file);
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, file);
        }
        Files.writeString(chart.resolve(".helmignore"), "*.bak\n/docs/*.txt\ntmp/\n[k-l]eep\n");
        Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: listing\nversion: 0.1.0\n");
        Files.createDirectory(chart.resolve("templates"));
        Files.writeString(
                chart.resolve("templates/a.yaml"),
                "files: [{{ range $path, $content := .Files }}{{ $path | quote }}, {{ end }}]\n");
        RenderRequest request = request(new ChartLoader().fromDirectory("listing", chart), Map.of());
        SortedMap<String, List<String>> expected =
                helm.template(chart, request, folder).documents();
        assertThat(expected.toString()).contains("a.txt", "deep/kept").doesNotContain("b.bak");
        assertThat(documents(renderer.render(request))).isEqualTo(expected);
    }

    /** What Helm renders, ours renders equally; of what Helm refuses, ours has at least one problem. */
    @Test
    void chartsWithMistakesFareAsWithHelm() throws IOException, InterruptedException {
        long first = Long.getLong("sro.charts.seed", 1);
        int count = Integer.getInteger("sro.charts.count", 60);
        int equal = 0;
        for (long seed = first; seed < first + count; seed++) {
            byte[] archive = new ChartMutator(seed).archive();
            Path path = Files.write(folder.resolve("mutated.tgz"), archive);
            String ours;
            String why = "";
            RealHelm.Output expected;
            try {
                Chart chart = new ChartLoader().fromArchive("mutated.tgz", archive);
                RenderRequest request = request(chart, Rendering.VALUES);
                expected = helm.template(path, request, folder);
                RenderedChart rendered = renderer.render(request);
                if (rendered.warnings().stream().anyMatch(warning -> warning.contains("what Helm knows"))) {
                    // A known difference, in what tpl renders.
                    continue;
                }
                why = rendered.problems().toString();
                ours = rendered.problems().isEmpty() ? documents(rendered).toString() : "refused";
            } catch (ChartException e) {
                expected = helm.template(path, request(Fixtures.chart("states"), Rendering.VALUES), folder);
                ours = "refused";
                why = e.getMessage();
            }
            if (expected.err().contains("YAML parse error")) {
                // Whether a document is YAML is for the reader of the text to say.
                continue;
            }
            String theirs = expected.status() == 0 ? expected.documents().toString() : "refused";
            // A context that is printed has addresses in it.
            assertThat(ours.replaceAll("0x[0-9a-f]+", "0x"))
                    .as("seed %d: %s%s", seed, expected.err(), why)
                    .isEqualTo(theirs.replaceAll("0x[0-9a-f]+", "0x"));
            equal += expected.status() == 0 ? 1 : 0;
        }
        assertThat(equal).as("how many Helm could render").isBetween(count / 10, count);
    }

    private RenderRequest request(Chart chart, Map<String, Object> values) {
        return new RenderRequest(chart, values, new RenderRequest.Release("rel", "ns"), cluster, false);
    }

    private static SortedMap<String, List<String>> documents(RenderedChart rendered) {
        SortedMap<String, List<String>> documents = new TreeMap<>();
        Map<String, String> texts = new TreeMap<>(rendered.texts());
        texts.putAll(rendered.crds());
        texts.forEach((path, text) -> {
            List<String> found = new ArrayList<>(RealHelm.split(text));
            found.sort(null);
            if (!found.isEmpty()) {
                documents.put(path, found);
            }
        });
        return documents;
    }
}
