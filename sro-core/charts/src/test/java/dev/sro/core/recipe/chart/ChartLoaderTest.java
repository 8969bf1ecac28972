package dev.sro.core.recipe.chart;

import static dev.sro.core.recipe.chart.Fixtures.CHART_YAML;
import static dev.sro.core.recipe.chart.Fixtures.archive;
import static dev.sro.core.recipe.chart.Fixtures.chart;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartLoaderTest {

    @TempDir
    Path folder;

    @Test
    void readsTheChartsInADirectoryAndLeavesOutWhatIsIgnored() {
        Chart chart = chart("states");
        assertThat(chart.label()).isEqualTo("states 0.1.0");
        assertThat(chart.metadata().kubeVersion()).isEqualTo(">=1.20.0-0");
        assertThat(chart.values()).containsEntry("kernels", List.of("one", "two"));
        assertThat(chart.templates()).extracting(ChartFile::path).contains("templates/nested/0500-late.yaml");
        assertThat(chart.allFiles()).extracting(ChartFile::path).doesNotContain("x.bak", "docs/readme.md");
    }

    @Test
    void readsTheChartsInsideOfAChart() {
        Chart chart = chart("dependencies");
        assertThat(chart.subcharts())
                .extracting(Chart::label)
                .containsExactly("exporter 0.1.0", "library 0.1.0", "tagged 0.1.0", "worker 0.1.4");
        assertThat(chart.subcharts().get(3).subcharts().get(0).crds())
                .extracting(ChartFile::path)
                .containsExactly("crds/leaf.yaml");
        assertThat(chart.metadata().dependencies())
                .extracting(ChartMetadata.Dependency::key)
                .containsExactly("first", "second", "third", "tagged", "library", "exporter");
    }

    @Test
    void equalFilesHaveEqualDigestsWhereverTheyComeFrom() throws IOException {
        Chart chart = chart("dependencies");
        Map<String, byte[]> files = new TreeMap<>();
        ChartAssembler.flatten(chart).forEach((path, file) -> files.put(path, file.bytes()));
        Chart packed = new ChartLoader().fromArchive("packed", TarWriter.archive("any", files));
        assertThat(packed.digest()).isEqualTo(chart.digest()).hasSize(64);
        files.put("values.yaml", "other: 1".getBytes(StandardCharsets.UTF_8));
        assertThat(new ChartLoader()
                        .fromArchive("packed", TarWriter.archive("any", files))
                        .digest())
                .isNotEqualTo(chart.digest());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gnu", "pax", "ustar"})
    void readsArchivesOfOtherTools(String format) throws IOException {
        byte[] archive = Files.readAllBytes(
                Fixtures.CHARTS.resolveSibling("chart-archives").resolve(format + ".tgz"));
        Chart chart = new ChartLoader().fromArchive(format, archive);
        String folders = "templates/" + "a-rather-long-name-of-a-folder/".repeat(4);
        assertThat(chart.templates())
                .extracting(ChartFile::path)
                .containsExactly("templates/0001-short.yaml", folders + "0000-long.yaml");
        assertThat(chart.templates().get(1).text()).isEqualTo("kind: Long\n");
    }

    @Test
    void readsAnArchiveInsideOfAnArchive() {
        byte[] inner = TarWriter.archive("inner", Map.of("Chart.yaml", bytes("name: inner\nversion: 1.0.0")));
        byte[] outer =
                TarWriter.archive("outer", Map.of("Chart.yaml", bytes(CHART_YAML), "charts/inner-1.0.0.tgz", inner));
        assertThat(new ChartLoader().fromArchive("outer", outer).subcharts())
                .extracting(Chart::label)
                .containsExactly("inner 1.0.0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: c\\nversion: 0.1.0\\ntype: widget | type \"widget\" must be application or library",
                "name: c\\nversion: a.b | version \"a.b\" is no semantic version",
                "version: 0.1.0 | name is required",
                "name: c | version is required",
                "name: a/b\\nversion: 0.1.0 | must be one path element",
                "apiVersion: v3\\nname: c\\nversion: 0.1.0 | apiVersion \"v3\" must be v1 or v2",
                "- a | must be a map",
                "a: [ | is not valid YAML",
                "name: c\\nversion: 0.1.0\\ndependencies: [null] | must not have empty entries",
                "name: c\\nversion: 0.1.0\\ndependencies: [{name: a, alias: 'x y'}] | characters that are not allowed",
                "name: c\\nversion: 0.1.0\\ndependencies: [{name: a}, {name: a}] | more than one dependency",
            })
    void holdsChartYamlToTheRules(String yaml, String message) {
        assertThatThrownBy(() -> chart("Chart.yaml", yaml.replace("\\n", "\n")))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("InvalidChart"))
                .hasMessageStartingWith("test.tgz: Chart.yaml")
                .hasMessageContaining(message);
    }

    @Test
    void saysWhichDependencyIsMissing() {
        String yaml =
                CHART_YAML + "dependencies: [{name: other, version: 1.x, repository: 'https://charts.example.com'}]";
        assertThatThrownBy(() -> chart("Chart.yaml", yaml, "charts/another/Chart.yaml", "name: x\nversion: 0.1.0"))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("ChartDependencyMissing"))
                .hasMessageContaining("missing in charts/: other 1.x (https://charts.example.com)");
    }

    @Test
    void refusesAFolderWithoutChartYaml() {
        assertThatThrownBy(() -> chart("templates/a.yaml", "")).hasMessageContaining("Chart.yaml is missing");
        assertThatThrownBy(() -> new ChartLoader().fromDirectory("nowhere", folder.resolve("nowhere")))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("ChartNotReadable"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"c/../../etc/x", "c/a/../../x", "/etc/x", "c//etc/x", "c/C:/x", "c\\..\\x"})
    void refusesPathsThatLeadOut(String name) throws IOException {
        assertThatThrownBy(() -> new ChartLoader().fromArchive("x.tgz", raw(name, '0', "")))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("UnsafeChart"));
    }

    @ParameterizedTest
    @ValueSource(chars = {'1', '2'})
    void refusesLinksInArchives(char type) {
        assertThatThrownBy(() -> new ChartLoader().fromArchive("x.tgz", raw("c/values.yaml", type, "")))
                .hasMessageContaining("c/values.yaml is a link");
    }

    @Test
    void followsLinksInDirectoriesOnlyInside() throws IOException {
        // As a ConfigMap is mounted.
        Path data = Files.createDirectory(folder.resolve("..2026_11_21"));
        Files.writeString(data.resolve("Chart.yaml"), CHART_YAML);
        Files.createSymbolicLink(folder.resolve("..data"), data.getFileName());
        Files.createSymbolicLink(folder.resolve("Chart.yaml"), Path.of("..data", "Chart.yaml"));
        assertThat(new ChartLoader().fromDirectory("mounted", folder).allFiles())
                .extracting(ChartFile::path)
                .containsExactly("Chart.yaml");
        Files.createSymbolicLink(folder.resolve("values.yaml"), Path.of("/etc/hostname"));
        assertThatThrownBy(() -> new ChartLoader().fromDirectory("mounted", folder))
                .hasMessageContaining("values.yaml is a link that leads out of the chart");
    }

    @Test
    void refusesWhatIsTooLarge() throws IOException {
        byte[] zeros = archive("Chart.yaml", CHART_YAML, "big", "\0".repeat(6 << 20));
        assertThatThrownBy(() -> new ChartLoader().fromArchive("bomb", zeros))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("UnsafeChart"))
                .hasMessageContaining("big has 6291456 bytes");
        ChartLimits few = new ChartLimits(1 << 20, 1000, 600, 3, 2);
        ChartLoader strict = new ChartLoader(few);
        assertThatThrownBy(
                        () -> strict.fromArchive("many", archive("Chart.yaml", CHART_YAML, "a", "", "b", "", "c", "")))
                .hasMessageContaining("more than 1000 bytes or 3 files");
        String half = "x".repeat(550);
        assertThatThrownBy(() -> strict.fromArchive("sum", archive("Chart.yaml", CHART_YAML, "a", half, "b", half)))
                .hasMessageContaining("more than 1000 bytes or 3 files");
        assertThatThrownBy(() -> strict.fromArchive("large", new byte[2 << 20]))
                .hasMessageContaining("the archive has 2097152 bytes");
        byte[] nested = bytes(CHART_YAML);
        byte[] archive = TarWriter.archive("c", Map.of("Chart.yaml", nested));
        for (int depth = 0; depth < 3; depth++) {
            archive = TarWriter.archive("c", Map.of("Chart.yaml", nested, "charts/c.tgz", archive));
        }
        byte[] deep = archive;
        assertThatThrownBy(() ->
                        new ChartLoader(new ChartLimits(1 << 20, 1 << 20, 1 << 19, 100, 2)).fromArchive("deep", deep))
                .hasMessageContaining("more than 2 deep");
    }

    @Test
    void damagedArchivesAreRefusedWithoutACrash() {
        byte[] good = archive("Chart.yaml", CHART_YAML, "templates/a.yaml", "kind: A");
        for (int length = 0; length < good.length; length += 7) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> new ChartLoader().fromArchive("cut", cut)).isInstanceOf(ChartException.class);
        }
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            byte[] mutated = good.clone();
            mutated[10 + random.nextInt(good.length - 10)] ^= (byte) (1 << random.nextInt(8));
            try {
                new ChartLoader().fromArchive("mutated", mutated);
            } catch (ChartException e) {
                assertThat(e.problem().message()).startsWith("mutated");
            }
        }
    }

    @TestFactory
    @EnabledIf(
            value = "dev.sro.core.recipe.chart.Fixtures#corpusIsHere",
            disabledReason = "no corpus here: set SRO_CORPUS to the folder that has charts/")
    Stream<DynamicTest> readsTheCorpus() {
        Path charts = Fixtures.corpus().orElseThrow().resolve("charts");
        return Stream.of(Objects.requireNonNull(charts.toFile().list()))
                .sorted()
                .filter(name -> Files.isDirectory(charts.resolve(name)))
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    Chart chart = new ChartLoader().fromDirectory(name, charts.resolve(name));
                    assertThat(chart.templates()).isNotEmpty();
                }));
    }

    private static byte[] raw(String name, char type, String content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            TarWriter.entry(out, name, type, bytes(content));
            out.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
