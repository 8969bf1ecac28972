package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Charts that come, or can be had, after their special resource, and nothing else happens in the cluster. */
class LateChartScenarioTest {

    private static final String MANIFEST = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: acme}
            data: {version: "%s"}
            """;

    private final SroSandbox sandbox = SroSandbox.create(false, Plugins.of());
    private @TempDir Path repository;
    private @Nullable Error fault;

    @BeforeEach
    void operatorWithCharts() {
        sandbox.kill();
        FileCharts files = new FileCharts(new ChartLoader());
        ChartFetcher fetcher = reference -> {
            if (fault != null) {
                throw fault;
            }
            return files.fetch(reference);
        };
        sandbox.charts(Map.of("file", fetcher), new PathRenderer());
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHCOS_8).withRole("worker"));
        sandbox.run(Duration.ofMinutes(2));
        sandbox.start();
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void push(String version) throws IOException {
        push(version, version);
    }

    private void push(String version, String data) throws IOException {
        Path chart = Files.createDirectories(repository.resolve("acme-" + version));
        Files.createDirectories(chart.resolve("templates"));
        Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: acme\nversion: %s\n".formatted(version));
        Files.writeString(chart.resolve("templates/0000-acme.yaml"), MANIFEST.formatted(data));
    }

    private void apply(String version) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              chart:
                name: acme
                version: "%s"
                repository: {name: example, url: "%s"}
            """.formatted(version, repository.toUri()));
        sandbox.run(Duration.ofMinutes(1));
    }

    @Test
    void aVersionThatIsPushedLaterIsFoundWithinMinutes() throws IOException {
        push("0.1.0");
        apply("0.2.0");
        assertThat(sandbox.state("acme")).startsWith("Errored");
        sandbox.run(Duration.ofHours(3));
        push("0.2.0");
        assertThat(sandbox.runUntil(Duration.ofMinutes(6), () -> sandbox.isReady("acme")))
                .as(sandbox.state("acme"))
                .isTrue();
    }

    @Test
    void whatIsPushedAgainIsTakenWithinMinutes() throws IOException {
        push("0.1.0");
        apply("0.1.0");
        assertThat(sandbox.isReady("acme")).as(sandbox.state("acme")).isTrue();
        assertThat(isThere("0.1.0")).isTrue();
        sandbox.run(Duration.ofHours(3));
        push("0.1.0", "another");
        assertThat(sandbox.runUntil(Duration.ofMinutes(11), () -> isThere("another")))
                .isTrue();
    }

    private boolean isThere(String data) {
        return sandbox.client().configMaps().inAnyNamespace().list().getItems().stream()
                .anyMatch(map ->
                        map.getData() != null && data.equals(map.getData().get("version")));
    }

    @Test
    void anErrorWhileItIsFetchedIsNotTheEndOfIt() throws IOException {
        push("0.1.0");
        fault = new NoClassDefFoundError("some/Thing");
        apply("0.1.0");
        assertThat(sandbox.state("acme")).contains("some/Thing");
        fault = null;
        assertThat(sandbox.runUntil(Duration.ofMinutes(6), () -> sandbox.isReady("acme")))
                .isTrue();
    }
}
