package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chart of three hundred objects in ten states: what it costs to get there, to stay there, and to change one object. */
class LargeRecipeScenarioTest {
    private static final int STATES = 10;
    private static final int OBJECTS = 30;
    private static final Duration LIMIT = Duration.ofMinutes(30);

    @TempDir
    private Path charts;

    private final SroSandbox sandbox = SroSandbox.create(false, Plugins.of());

    @BeforeEach
    void operatorWithChart() throws IOException {
        sandbox.kill();
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), new PathRenderer());
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.UBUNTU_22));
        Path folder = charts.resolve("large-1.0.0");
        Files.createDirectories(folder.resolve("templates"));
        Files.writeString(folder.resolve("Chart.yaml"), "{apiVersion: v2, name: large, version: 1.0.0}");
        Files.writeString(folder.resolve("values.yaml"), "word: one");
        for (int state = 0; state < STATES; state++) {
            String number = "%04d".formatted(state);
            String objects = IntStream.range(0, OBJECTS)
                    .mapToObj(object -> """
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: settings-%s-%d}
                        data: {word: "%s"}
                        """.formatted(number, object, object == 7 ? "{{ .Values.word }}" : "fixed"))
                    .collect(Collectors.joining("---\n"));
            Files.writeString(folder.resolve("templates/" + number + "-settings.yaml"), objects);
        }
        sandbox.start();
        sandbox.cluster().recording().start();
        apply("one");
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void apply(String word) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: large}
            spec:
              namespace: large
              chart: {name: large, version: 1.0.0, repository: {name: example, url: "%s"}}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, word: %s}
            """.formatted(charts.toUri(), word));
        sandbox.run(Duration.ofSeconds(5));
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("large")))
                .as(() -> sandbox.state("large"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
    }

    private Map<String, Long> writesByObject() {
        return sandbox
                .cluster()
                .recording()
                .entries(e -> e.userAgent().equals("sro")
                        && e.isWrite()
                        && e.resource().equals("configmaps"))
                .stream()
                .map(Recording.Entry::name)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    @Test
    void eachObjectIsWrittenOnce() {
        Map<String, Long> writes = writesByObject();

        assertThat(writes).hasSize(STATES * OBJECTS);
        assertThat(writes.values()).containsOnly(1L);
    }

    @Test
    void nothingIsAskedForWhenNothingChanges() {
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(2));

        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .isEmpty();
    }

    @Test
    void oneChangedValueIsOneWriteOfEachObjectThatReadsIt() {
        sandbox.cluster().recording().start();
        apply("two");

        assertThat(writesByObject())
                .hasSize(STATES)
                .allSatisfy((name, count) -> assertThat(name).endsWith("-7"));
        assertThat(writesByObject().values()).containsOnly(1L);
    }
}
