package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated charts, rendered by Helm's own library, are run by the engine, and held at every rest against what the original's rules
 * make of them: what is applied, after what, for which kernel, under which name.
 *
 * <p>{@code -Dsro.chartruns.first} and {@code -Dsro.chartruns.generated} choose others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(
        value = "dev.sro.core.recipe.chart.Rendering#engineIsHere",
        disabledReason = "helm-java has no library for this machine")
class GeneratedChartRunsTest {

    private final HelmRenderer renderer = new HelmRenderer();

    @TempDir
    private Path folder = Path.of("");

    @AfterAll
    void close() {
        renderer.close();
    }

    @Test
    void thirtyCharts() {
        charts(Long.getLong("sro.chartruns.first", 1), Integer.getInteger("sro.chartruns.generated", 30));
    }

    @Test
    @Tag("slow")
    void manyCharts() {
        // Four thousand were run: -Dsro.chartruns.many=4000.
        charts(2_000_000, Integer.getInteger("sro.chartruns.many", 150));
    }

    /** Those that showed a mistake once. */
    @ParameterizedTest
    @ValueSource(longs = {82, 109, 130, 257})
    void thoseThatFailedOnce(long seed) {
        charts(seed, 1);
    }

    private void charts(long first, int count) {
        SortedMap<Long, String> faults = new ConcurrentSkipListMap<>();
        LongStream.range(first, first + count).parallel().forEach(seed -> {
            Map<String, String> files = ChartGenerator.lived(seed);
            ChartLife life = new ChartLife(seed, files, folder.resolve("chart" + seed), renderer);
            try {
                life.live();
            } catch (AssertionError | RuntimeException e) {
                faults.put(seed, e.getMessage() + (faults.isEmpty() ? "\n" + life + files : ""));
            }
        });
        assertThat(faults.entrySet().stream().limit(20))
                .as(faults.size() + " of " + count + " charts")
                .isEmpty();
    }
}
