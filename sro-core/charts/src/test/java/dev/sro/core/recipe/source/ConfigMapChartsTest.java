package dev.sro.core.recipe.source;

import static dev.sro.core.recipe.source.References.chart;
import static dev.sro.core.recipe.source.References.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.model.Digests;
import dev.sro.core.recipe.chart.ChartArchives;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigMapChartsTest {

    private static final byte[] KMOD = ChartArchives.chart("kmod", "0.1.0");

    private final Map<String, byte[]> content = new HashMap<>();
    private final Map<String, Map<String, byte[]>> maps = new HashMap<>();
    private final ConfigMapCharts charts = new ConfigMapCharts(
            new ClusterFiles() {
                @Override
                public Optional<Map<String, byte[]>> configMap(String namespace, String name) throws IOException {
                    if (namespace.equals("secret")) {
                        throw new IOException("grant get");
                    }
                    return Optional.ofNullable(maps.get(namespace + "/" + name));
                }

                @Override
                public Optional<Map<String, byte[]>> secret(String namespace, String name) {
                    throw new AssertionError("no chart of a ConfigMap needs a Secret");
                }
            },
            new ChartLoader());

    @BeforeEach
    void oneChart() {
        content.put("kmod-0.1.0.tgz", KMOD);
        maps.put("ns/charts", content);
    }

    private void index(String url) {
        content.put("index.yaml", References.index("kmod", "0.1.0", url, Digests.sha256(KMOD)));
    }

    private String fetch(String url) throws IOException {
        return charts.fetch(chart("kmod", "0.1.0", url)).chart().label();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cm://ns/charts", "cm://ns/charts/", "configmap://ns/charts", "CM://ns/charts"})
    void readsTheArchiveThatTheIndexNames(String url) throws IOException {
        index("kmod-0.1.0.tgz");
        assertThat(fetch(url)).isEqualTo("kmod 0.1.0");
    }

    /** As "helm repo index --url cm://ns/charts" writes it. */
    @ParameterizedTest
    @ValueSource(
            strings = {"cm://ns/charts/kmod-0.1.0.tgz", "configmap://ns/charts/kmod-0.1.0.tgz", "./kmod-0.1.0.tgz"})
    void theIndexMayHaveWholeAddresses(String url) throws IOException {
        index(url);
        assertThat(fetch("cm://ns/charts")).isEqualTo("kmod 0.1.0");
    }

    @Test
    void theArchiveMayBeInAnotherConfigMap() throws IOException {
        index("cm://ns/archives/kmod-0.1.0.tgz");
        maps.put("ns/archives", Map.of("kmod-0.1.0.tgz", KMOD));
        assertThat(fetch("cm://ns/charts")).isEqualTo("kmod 0.1.0");
    }

    @Test
    void aSingleArchiveNeedsNoIndex() throws IOException {
        assertThat(fetch("cm://ns/charts")).isEqualTo("kmod 0.1.0");
        content.put("other-0.1.0.tgz", ChartArchives.chart("other", "0.1.0"));
        assertThat(problem(() -> fetch("cm://ns/charts")).message())
                .contains("index.yaml", "exactly one archive", "kmod-0.1.0.tgz, other-0.1.0.tgz", "helm repo index");
    }

    @Test
    void aMissingKeyIsNamed() {
        index("gone.tgz");
        assertThat(problem(() -> fetch("cm://ns/charts")))
                .returns("ChartNotFound", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains("cm://ns/charts has no key gone.tgz; it has index.yaml, kmod-0.1.0.tgz");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cm://ns",
                "cm://ns/",
                "cm:///charts",
                "cm://ns/charts/index.yaml",
                "cm://ns/charts/a/b",
                "cm://NS/charts",
                "cm://ns/charts?x=y",
                "cm://user@ns/charts"
            })
    void anyOtherDepthIsRefused(String url) {
        assertThat(problem(() -> fetch(url)))
                .returns("InvalidChartReference", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains(url, "cm://NAMESPACE/NAME");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"charts/kmod-0.1.0.tgz", "https://charts.example.com/kmod-0.1.0.tgz", "cm://a/b/c/kmod.tgz"})
    void anArchiveSomewhereElseIsRefused(String url) {
        index(url);
        assertThat(problem(() -> fetch("cm://ns/charts")))
                .returns("InvalidRepositoryIndex", problem -> problem.code())
                .extracting(problem -> problem.message())
                .asString()
                .contains(url, "kmod-0.1.0.tgz");
    }

    @Test
    void whatIsNotThereOrNotReadableIsSaid() {
        assertThat(problem(() -> fetch("cm://ns/none")).message()).contains("no ConfigMap none in namespace ns");
        assertThatThrownBy(() -> fetch("cm://secret/charts"))
                .isInstanceOf(IOException.class)
                .hasMessage("grant get");
    }

    @Test
    void anotherChartThanTheIndexSaysIsRefused() {
        content.put("kmod-0.1.0.tgz", ChartArchives.chart("other", "0.1.0"));
        content.put("index.yaml", References.index("kmod", "0.1.0", "kmod-0.1.0.tgz", ""));
        assertThat(problem(() -> fetch("cm://ns/charts")).message())
                .contains("spec.chart.name: \"kmod\"", "other 0.1.0");
    }
}
