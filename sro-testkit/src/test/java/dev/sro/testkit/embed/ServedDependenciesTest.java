package dev.sro.testkit.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.charts.PathRenderer;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Special resources that are made for others are served by the same operator. */
class ServedDependenciesTest {

    private final SteppedDoors doors = new SteppedDoors();

    @TempDir
    private Path charts;

    @AfterEach
    void close() {
        doors.close();
    }

    private String chart(String name) throws IOException {
        Path folder = charts.resolve(name + "-1.0.0");
        Files.createDirectories(folder.resolve("templates"));
        Files.writeString(folder.resolve("Chart.yaml"), "{apiVersion: v2, name: " + name + ", version: 1.0.0}");
        Files.writeString(folder.resolve("values.yaml"), "word: none");
        Files.writeString(folder.resolve("templates/0000-all.yaml"), """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s}
            """.formatted(name));
        return "{name: %s, version: 1.0.0, repository: {name: example, url: \"%s\"}}".formatted(name, charts.toUri());
    }

    @Test
    void whatIsMadeForASpecialResourceHasTheLabelsThatTheSelectorLooksAt() throws IOException {
        doors.start(
                "own",
                operator -> operator.serves("example.com/operator=own")
                        .adjust((assembly, blocking) -> assembly.charts(
                                Map.of("file", new FileCharts(new ChartLoader())), blocking, new PathRenderer())));
        doors.sandbox().nodes().create("node", NodeProfile.of(OsRelease.UBUNTU_22));
        doors.sandbox().apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: app, labels: {example.com/operator: own, example.com/other: label}}
            spec: {namespace: app, chart: %s, dependencies: [{chart: %s}]}
            """.formatted(chart("app"), chart("base")));

        assertThat(doors.runUntil(Duration.ofMinutes(10), () -> doors.sandbox().isReady("app")))
                .as(() -> doors.sandbox().state("app"))
                .isTrue();
        assertThat(doors.sandbox().get("base").orElseThrow().getMetadata().getLabels())
                .containsEntry("example.com/operator", "own")
                .doesNotContainKey("example.com/other");
        assertThat(doors.sandbox().isReady("base")).isTrue();
    }
}
