package dev.sro.core.recipe.source;

import static dev.sro.core.recipe.source.References.chart;
import static dev.sro.core.recipe.source.References.index;
import static dev.sro.core.recipe.source.References.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.Digests;
import dev.sro.core.recipe.chart.ChartArchives;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileChartsTest {

    @TempDir
    Path folder;

    private final FileCharts charts = new FileCharts(new ChartLoader());

    private String fetch(String name, String version) throws IOException {
        return charts.fetch(chart(name, version, folder.toUri().toString()))
                .chart()
                .label();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kmod-1.2.0.tgz",
                "./kmod-1.2.0.tgz",
                "archives/kmod-1.2.0.tgz",
                "https://charts.example.com/stable/kmod-1.2.0.tgz"
            })
    void readsARepositoryWithAnIndex(String url) throws IOException {
        byte[] archive = ChartArchives.chart("kmod", "1.2.0");
        Files.write(folder.resolve("kmod-1.2.0.tgz"), archive);
        Files.createDirectories(folder.resolve("archives"));
        Files.write(folder.resolve("archives/kmod-1.2.0.tgz"), archive);
        Files.write(folder.resolve("index.yaml"), index("kmod", "1.2.0", url, Digests.sha256(archive)));
        assertThat(fetch("kmod", "^1")).isEqualTo("kmod 1.2.0");
    }

    @Test
    void anIndexThatHasAnotherDigestIsNotBelieved() throws IOException {
        Files.write(folder.resolve("a.tgz"), ChartArchives.chart("kmod", "1.2.0"));
        Files.write(folder.resolve("index.yaml"), index("kmod", "1.2.0", "a.tgz", "00ff"));
        assertThat(problem(() -> fetch("kmod", "^1")))
                .returns("ChartDigestMismatch", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("a.tgz", "00ff");
    }

    @Test
    void aFileThatOnlyTheIndexKnowsIsNamed() throws IOException {
        Files.write(folder.resolve("index.yaml"), index("kmod", "1.2.0", "gone.tgz", ""));
        assertThat(problem(() -> fetch("kmod", "^1")).message()).contains("gone.tgz", "no such file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mailto:somebody", "a b.tgz"})
    void anAddressInTheIndexMustBeOne(String url) throws IOException {
        Files.write(folder.resolve("index.yaml"), index("kmod", "1.2.0", url, ""));
        assertThat(problem(() -> fetch("kmod", "^1")).code()).isEqualTo("InvalidRepositoryIndex");
    }

    @Test
    void whatTheIndexDoesNotKnowIsLookedForBesideIt() throws IOException {
        Files.write(folder.resolve("index.yaml"), index("other", "1.0.0", "other.tgz", ""));
        Files.write(folder.resolve("kmod-0.1.0.tgz"), ChartArchives.chart("kmod", "0.1.0"));
        assertThat(fetch("kmod", "0.1.0")).isEqualTo("kmod 0.1.0");
    }

    @Test
    void readsTheChartOfADirectoryAndHoldsItToNameAndVersion() throws IOException {
        Path chart = Files.createDirectories(folder.resolve("kmod"));
        Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: kmod\nversion: 0.3.0-dev\n");
        assertThat(fetch("kmod", "")).isEqualTo("kmod 0.3.0-dev");
        assertThat(fetch("kmod", "v0.3.0-dev")).isEqualTo("kmod 0.3.0-dev");
        assertThat(problem(() -> fetch("kmod", "0.2.0")))
                .returns("ChartNotFound", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("spec.chart.version: \"0.2.0\"", "kmod 0.3.0-dev");
        Files.move(chart, folder.resolve("mod"));
        assertThat(problem(() -> fetch("mod", "")).message()).contains("spec.chart.name: \"mod\"", "kmod 0.3.0-dev");
    }

    @Test
    void whatIsNowhereIsNamedWithAllPlacesThatWereLookedAt() {
        assertThat(problem(() -> fetch("kmod", "1")))
                .returns("ChartNotFound", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("kmod-1.tgz", "index.yaml");
    }
}
