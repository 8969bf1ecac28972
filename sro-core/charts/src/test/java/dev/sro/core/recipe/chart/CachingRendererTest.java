package dev.sro.core.recipe.chart;

import static dev.sro.core.recipe.chart.Fixtures.CHART_YAML;
import static dev.sro.core.recipe.chart.Fixtures.chart;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CachingRendererTest {
    private final Chart chart = chart("Chart.yaml", CHART_YAML, "templates/a.yaml", "kind: A");
    private int asked;
    private @Nullable Problem refusal;

    private final ManifestRenderer counting = request -> {
        asked++;
        if (refusal != null) {
            throw new ChartException(refusal);
        }
        TreeMap<String, String> texts = new TreeMap<>(Map.of("c/templates/a.yaml", "0123456789"));
        return new RenderedChart(texts, new TreeMap<>(), new TreeMap<>(), List.of());
    };

    private final CachingRenderer renderer = new CachingRenderer(counting, 2, 1_000);

    private int asks(Chart asking, Map<String, Object> values, RenderRequest.Cluster cluster, String name) {
        int before = asked;
        renderer.render(new RenderRequest(asking, values, new RenderRequest.Release(name, "ns"), cluster, false));
        return asked - before;
    }

    private int asks(Map<String, Object> values) {
        return asks(chart, values, Rendering.CLUSTER, "rel");
    }

    @Test
    void asksOnceForEachQuestion() {
        assertThat(asks(Map.of("a", 1))).isOne();
        assertThat(asks(Map.of("a", 1))).isZero();
        assertThat(asks(Map.of("a", "1"))).isOne();
        assertThat(asks(chart, Map.of("a", 1), Rendering.CLUSTER, "other")).isOne();
        assertThat(asks(chart, Map.of("a", 1), Rendering.cluster("v1"), "rel")).isOne();
        Chart changed = chart("Chart.yaml", CHART_YAML, "templates/a.yaml", "kind: B");
        assertThat(asks(changed, Map.of("a", 1), Rendering.CLUSTER, "rel")).isOne();
        Chart loadedAgain = chart("Chart.yaml", CHART_YAML, "templates/a.yaml", "kind: B");
        assertThat(asks(loadedAgain, Map.of("a", 1), Rendering.CLUSTER, "rel")).isZero();
    }

    @Test
    void forgetsWhatWasNotAskedForTheLongest() {
        asks(Map.of("a", 1));
        asks(Map.of("a", 2));
        asks(Map.of("a", 1));
        asks(Map.of("a", 3));
        assertThat(asks(Map.of("a", 1))).isZero();
        assertThat(asks(Map.of("a", 2))).isOne();
    }

    @Test
    void keepsNoMoreTextThanAllowed() {
        CachingRenderer small = new CachingRenderer(counting, 100, 15);
        RenderRequest first = Rendering.request(chart, Map.of("a", 1));
        small.render(first);
        small.render(Rendering.request(chart, Map.of("a", 2)));
        small.render(first);
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void remembersRefusalsUnlessTheyMayPass() {
        refusal = Problem.user("ValuesRefused", "no");
        RenderRequest request = Rendering.request(chart, Map.of());
        assertThatThrownBy(() -> renderer.render(request)).hasMessage("no");
        assertThatThrownBy(() -> renderer.render(request)).hasMessage("no");
        assertThat(asked).isOne();
        refusal = Problem.platform("RendererNotStarted", "later");
        RenderRequest other = Rendering.request(chart, Map.of("a", 1));
        assertThatThrownBy(() -> renderer.render(other)).hasMessage("later");
        refusal = null;
        assertThat(renderer.render(other).texts()).hasSize(1);
    }
}
