package dev.sro.core.recipe.source;

import static dev.sro.core.recipe.source.References.chart;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartStoreTest {

    private final TestClock clock = new TestClock();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final ChartStore store = new ChartStore(Map.of("https", this::fetch), tasks::add, clock, told::add);
    private final ChartReference reference = chart("acme", "0.1.0", "https://charts.example.com");

    private @TempDir Path directory;
    private @Nullable Error error;
    private @Nullable IOException away;
    private String content = "";
    private int fetches;

    private ChartFetcher.Fetched fetch(ChartReference asked) throws IOException {
        fetches++;
        if (error != null) {
            throw error;
        }
        if (away != null) {
            throw away;
        }
        if (content.isEmpty()) {
            throw new ChartException(Problem.user("ChartNotFound", "spec.chart: there is none"));
        }
        Files.writeString(directory.resolve("Chart.yaml"), "name: acme\nversion: 0.1.0\napiVersion: v2\n");
        Files.writeString(directory.resolve("values.yaml"), content);
        return new ChartFetcher.Fetched(new ChartLoader().fromDirectory("acme", directory), List.of());
    }

    private SourceAnswer<ChartFetcher.Fetched> find() {
        return store.find(reference, "gpu");
    }

    private void work() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    /** One trip; when the next one is due without anything that happens, in seconds. */
    private long trip() {
        find();
        work();
        find();
        return Duration.between(clock.instant(), store.settle("gpu")).toSeconds();
    }

    private static Chart found(SourceAnswer<ChartFetcher.Fetched> answer) {
        return answer.map(
                        fetched -> fetched,
                        from -> {
                            throw new AssertionError(from + " is being fetched");
                        },
                        problem -> {
                            throw new AssertionError(problem);
                        })
                .chart();
    }

    private static String code(SourceAnswer<ChartFetcher.Fetched> answer) {
        return ((SourceAnswer.Failed<?>) answer).problem().code();
    }

    @Test
    void aChartThatIsPushedLaterIsFoundWhoeverLooksNoSooner() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            waits.add(trip());
            assertThat(code(find())).isEqualTo("ChartNotFound");
            clock.advance(Duration.ofSeconds(waits.get(i)));
        }
        assertThat(waits).containsExactly(10L, 20L, 40L, 80L, 160L, 300L, 300L);
        content = "a: 1";
        assertThat(trip()).isEqualTo(600);
        assertThat(found(find()).name()).isEqualTo("acme");
        assertThat(told).hasSize(8).containsOnly("gpu");
    }

    @Test
    void anErrorIsNotTheEndOfIt() {
        error = new NoClassDefFoundError("x");
        assertThat(trip()).isEqualTo(10);
        assertThat(code(find())).isEqualTo("ChartNotReachable");
        error = null;
        content = "a: 1";
        clock.advance(Duration.ofSeconds(10));
        trip();
        assertThat(find()).matches(SourceAnswer::isFound);
    }

    @Test
    void whatWasHadServesWhileTheAddressIsAwayAndIsTheSameAsLongAsItsContentIs() {
        content = "a: 1";
        trip();
        Chart first = found(find());
        clock.advance(Duration.ofMinutes(10));
        trip();
        assertThat(found(find())).isSameAs(first);
        clock.advance(Duration.ofMinutes(10));
        away = new IOException("away");
        assertThat(trip()).isEqualTo(10);
        assertThat(found(find())).isSameAs(first);
        away = null;
        content = "a: 2";
        clock.advance(Duration.ofSeconds(10));
        trip();
        assertThat(found(find()).values()).containsEntry("a", 2);
        assertThat(fetches).isEqualTo(4);
    }

    @Test
    void whatNobodyNamesAnyMoreIsForgotten() {
        content = "a: 1";
        trip();
        ChartReference other = chart("other", "0.1.0", "https://charts.example.com");
        for (int i = 0; i < 4; i++) {
            store.find(other, "gpu");
            work();
            assertThat(store.settle("gpu")).isAfter(clock.instant()).isBefore(Instant.MAX);
        }
        assertThat(store.size()).isEqualTo(1);
        store.find(other, "nic");
        store.gone("gpu");
        assertThat(store.size()).isEqualTo(1);
        store.gone("nic");
        assertThat(store.size()).isZero();
        assertThat(store.settle("gpu")).isEqualTo(Instant.MAX);
    }
}
