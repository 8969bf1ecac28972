package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.sro.core.yaml.LenientYaml;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChartValuesTest {

    @Test
    void runtimeWinsOverSetAndSetOverTheChart() {
        // Vector R2.
        Chart chart = Fixtures.chart(
                "Chart.yaml",
                Fixtures.CHART_YAML,
                "values.yaml",
                "{a: 1, m: {x: 1, y: 1}, l: [1, 2], unknown: {k: v}}");
        Map<String, Object> given = ChartValues.given(
                Map.of("a", 2, "m", Map.of("y", 2), "l", List.of(3), "kernelFullVersion", "mine"),
                Map.of("m", Map.of("z", 3), "kernelFullVersion", "real"));
        assertThat(ChartValues.effective(chart, given))
                .containsOnly(
                        entry("a", 2),
                        entry("m", Map.of("x", 1, "y", 2, "z", 3)),
                        entry("l", List.of(3)),
                        entry("kernelFullVersion", "real"),
                        entry("unknown", Map.of("k", "v")));
    }

    @Test
    void ofSeveralDocumentsTheFirstCounts() {
        Chart chart = Fixtures.chart("Chart.yaml", Fixtures.CHART_YAML, "values.yaml", "---\na: 1\n---\na: 2\n");
        assertThat(chart.values()).containsOnly(entry("a", 1));
    }

    @Test
    void nullTakesAwayWhatTheChartHas() {
        Chart chart = Fixtures.chart("Chart.yaml", Fixtures.CHART_YAML, "values.yaml", "{a: 1, m: {x: 1, y: 1}}");
        Map<String, Object> set = new HashMap<>();
        LenientYaml.putNullable(set, "a", null);
        Map<String, Object> inner = new HashMap<>();
        LenientYaml.putNullable(inner, "x", null);
        set.put("m", inner);
        Map<String, Object> given = ChartValues.given(set, Map.of());
        assertThat(given).containsKeys("a", "m");
        assertThat(ChartValues.effective(chart, given)).containsOnly(entry("m", Map.of("y", 1)));
    }

    @Test
    void chartsInsideHaveTheirValuesUnderTheirNames() {
        Map<String, Object> values = ChartValues.effective(Fixtures.chart("dependencies"), Map.of());
        assertThat(values)
                .containsEntry(
                        "first",
                        Map.of(
                                "size", 7,
                                "inner",
                                        Map.of(
                                                "colour",
                                                "red",
                                                "global",
                                                Map.of("registry", "registry.example.com", "deep", Map.of("a", 1))),
                                "global", Map.of("registry", "registry.example.com", "deep", Map.of("a", 1))))
                .containsKeys("second", "third", "tagged", "library", "exporter")
                .doesNotContainKeys("worker");
    }
}
