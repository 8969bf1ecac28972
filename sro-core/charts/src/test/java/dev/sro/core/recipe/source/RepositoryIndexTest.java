package dev.sro.core.recipe.source;

import static dev.sro.core.recipe.source.References.chart;
import static dev.sro.core.recipe.source.References.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepositoryIndexTest {

    private static final String URL = "https://charts.example.com";

    private static RepositoryIndex read(String yaml) {
        return RepositoryIndex.read("the index", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static final String INDEX = """
            apiVersion: v1
            generated: 2026-01-01T00:00:00Z
            entries:
              kmod:
              - apiVersion: v2
                name: kmod
                version: 1.0.0
                created: 2026-01-01T00:00:00Z
                dependencies: [{name: a, version: 1.x, urls: [wrong]}, {version: 9.9.9}]
                annotations: &notes {a: "1"}
                maintainers:
                - {name: somebody, more: *notes}
                digest: aaaa
                urls: [kmod-1.0.0.tgz, https://elsewhere.example.com/kmod-1.0.0.tgz]
              - {version: 1.2.0, urls: [charts/kmod-1.2.0.tgz]}
              - {version: 2.0.0-rc.1, urls: [kmod-2.0.0-rc.1.tgz]}
              - {version: one, urls: [kmod-one.tgz]}
              empty:
              - {version: 1.0.0, urls: []}
              none:
            """;

    @Test
    void theNewestReleaseThatMeetsTheConstraintIsChosen() {
        RepositoryIndex index = read(INDEX);
        assertThat(index.choose(chart("kmod", "", URL)).version()).isEqualTo("1.2.0");
        assertThat(index.choose(chart("kmod", ">1-0", URL)).version()).isEqualTo("2.0.0-rc.1");
        RepositoryIndex.Entry exact = index.choose(chart("kmod", "v1.0.0", URL));
        assertThat(exact.digest()).isEqualTo("aaaa");
        assertThat(exact.urls()).containsExactly("kmod-1.0.0.tgz", "https://elsewhere.example.com/kmod-1.0.0.tgz");
    }

    @Test
    void anIndexMayBeJson() {
        RepositoryIndex index =
                read("{\"apiVersion\":\"v1\",\"entries\":{\"a\":[{\"version\":\"1.0.0\",\"urls\":[\"u\"]}]}}");
        assertThat(index.choose(chart("a", "1", URL)).urls()).containsExactly("u");
    }

    @Test
    void whatIsMissingIsNamedWithWhatThereIs() {
        RepositoryIndex index = read(INDEX);
        assertThat(problem(() -> index.choose(chart("kmod", "^3", URL))))
                .returns("ChartNotFound", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("spec.chart.version", "the index", "\"^3\"", "2.0.0-rc.1, 1.2.0, 1.0.0");
        assertThat(problem(() -> index.choose(chart("kmods", "1", URL))).message())
                .contains("spec.chart.name", "\"kmods\"", "empty, kmod, none");
        assertThat(problem(() -> index.choose(chart("none", "1", URL))).code()).isEqualTo("ChartNotFound");
        assertThat(problem(() -> index.choose(chart("empty", "1", URL))).code()).isEqualTo("InvalidRepositoryIndex");
    }

    @Test
    void aMessageListsAFewNamesOnly() {
        StringBuilder yaml = new StringBuilder("apiVersion: v1\nentries:\n");
        IntStream.range(10, 60).forEach(i -> yaml.append("  chart-").append(i).append(": []\n"));
        assertThat(problem(() -> read(yaml.toString()).choose(chart("x", "", URL)))
                        .message())
                .endsWith("chart-16, chart-17 and 42 more");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<!DOCTYPE html><html><body>Sign in</body></html>",
                "{}",
                "entries: {}",
                "- a",
                "apiVersion: v1\nentries: [a]",
                "apiVersion: v1\nentries: {a: {version: 1}}",
                "apiVersion: v1\nentries: {a: [1]}",
                "apiVersion: v1\nentries: {a: [{version: [1]}]}",
                "apiVersion: v1\nentries: {a: [{urls: x}]}",
                "apiVersion: v1\nx: &x {}\nentries: *x",
                "apiVersion: v1\nentries: {a: [",
                "apiVersion: v1\n\tentries: {}",
                "a: *b",
                "\u0000"
            })
    void garbageIsRefused(String text) {
        assertThat(problem(() -> read(text)))
                .returns("InvalidRepositoryIndex", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .startsWith("the index is no index of a chart repository: ")
                .hasSizeLessThan(300);
    }

    @Test
    void bytesThatAreNoTextAreRefused() {
        byte[] bytes = {(byte) 0x1f, (byte) 0x8b, (byte) 0xff, 0, 1};
        assertThat(problem(() -> RepositoryIndex.read("the index", bytes)).code())
                .isEqualTo("InvalidRepositoryIndex");
    }

    /** A parser that went on would take very long. */
    @Test
    void deepNestingIsRefusedAtOnce() {
        String deep = "apiVersion: v1\nx: " + "[".repeat(100_000);
        assertThat(problem(() -> read(deep)).code()).isEqualTo("InvalidRepositoryIndex");
    }
}
