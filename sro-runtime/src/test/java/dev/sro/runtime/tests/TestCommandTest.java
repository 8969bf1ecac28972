package dev.sro.runtime.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.chart.ChartPaths;
import dev.sro.core.recipe.chart.ManifestRenderer;
import dev.sro.core.recipe.chart.RenderedChart;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import dev.sro.testkit.sim.Behavior;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCommandTest {
    private static final String POD = """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %1$s
          annotations: {helm.sh/hook: test, helm.sh/hook-weight: "%2$d", helm.sh/hook-delete-policy: "%3$s"}
        spec:
          restartPolicy: Never
          containers:
            - {name: main, image: example.com/%1$s}
        ---
        """;

    private static final ManifestRenderer AS_IT_IS = request -> {
        SortedMap<String, String> texts = new TreeMap<>();
        ChartPaths.templates(request.chart()).forEach((path, file) -> texts.put(path, file.text()));
        return new RenderedChart(texts, new TreeMap<>(), new TreeMap<>(), List.of());
    };

    @TempDir
    private Path folder;

    private HttpSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HttpSandbox(folder);
        on.sandbox.kill();
        on.sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), AS_IT_IS);
        on.sandbox.start();
        on.node("a", "one");
    }

    @AfterEach
    void close() {
        on.close();
    }

    private void install(String tests) throws IOException {
        Path chart = folder.resolve("tested-0.1.0");
        Files.createDirectories(chart.resolve("templates"));
        Files.writeString(chart.resolve("Chart.yaml"), "{apiVersion: v2, name: tested, version: 0.1.0}\n");
        Files.writeString(chart.resolve("templates/tests.yaml"), tests);
        Files.writeString(
                chart.resolve("templates/settings.yaml"),
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}\n");
        on.sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: tested}
            spec:
              namespace: tested
              chart: {name: tested, version: 0.1.0, repository: {name: example, url: "%s"}}
              nodeSelector: {example.com/device: one}
            """.formatted(folder.toUri()));
        assertThat(on.sandbox.runUntil(Duration.ofMinutes(5), () -> on.sandbox.isReady("tested")))
                .as(() -> on.sandbox.state("tested"))
                .isTrue();
        on.sandbox.run(Duration.ofSeconds(5));
    }

    /** The command waits, so time has to pass beside it. */
    private Cli test(String... args) throws InterruptedException {
        CompletableFuture<Cli> running = CompletableFuture.supplyAsync(() -> on.run("test", args));
        for (int i = 0; i < 600 && !running.isDone(); i++) {
            on.sandbox.run(Duration.ofSeconds(1));
            Thread.sleep(50);
        }
        return running.join();
    }

    private List<String> pods() {
        return on.sandbox.client().pods().inNamespace("tested").list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    @Test
    void runsTestsByWeightAndKeepsWhatItsPolicySays() throws IOException, InterruptedException {
        install(POD.formatted("second", 2, "hook-succeeded") + POD.formatted("first", 1, "before-hook-creation"));
        assertThat(pods()).as("a test is no operand").isEmpty();

        Cli run = test("tested");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("Pod tested/first: succeeded\nPod tested/second: succeeded\n");
        assertThat(run.code()).isZero();
        on.sandbox.run(Duration.ofMinutes(5));
        assertThat(pods()).containsExactly("first");
        assertThat(on.sandbox.isReady("tested")).isTrue();
    }

    @Test
    void runsThemAgain() throws IOException, InterruptedException {
        install(POD.formatted("only", 0, ""));

        assertThat(test("tested").code()).isZero();
        assertThat(test("tested").out()).isEqualTo("Pod tested/only: succeeded\n");
    }

    @Test
    void stopsAtTheFirstThatFailsAndShowsItsLog() throws IOException, InterruptedException {
        on.sandbox
                .simulation()
                .behaviors()
                .add(Behavior.fail(3, Duration.ofSeconds(1)).image("*/first"));
        install(POD.formatted("second", 2, "") + POD.formatted("first", 1, "hook-failed"));

        Cli run = test("tested");

        assertThat(run.code()).as(run.out()).isEqualTo(1);
        assertThat(run.out())
                .contains("Pod tested/first: failed: ", "log of Pod tested/first, container main")
                .doesNotContain("second");
        on.sandbox.run(Duration.ofMinutes(1));
        assertThat(pods()).isEmpty();
    }

    @Test
    void givesUpOnOneThatTakesTooLong() throws IOException, InterruptedException {
        on.sandbox.simulation().behaviors().add(Behavior.runForever().image("*/slow"));
        install(POD.formatted("slow", 0, ""));

        Cli run = test("tested", "--timeout", "2");

        assertThat(run.code()).as(run.out()).isEqualTo(1);
        assertThat(run.out()).contains("Pod tested/slow: failed: not done after 2 s");
    }

    @Test
    void saysWhatItCannotTest() throws IOException, InterruptedException {
        install("");
        assertThat(test("tested").out()).isEqualTo("the chart of tested has no tests\n");
        assertThat(test("tested").code()).isZero();
        assertThat(test("other").err()).isEqualTo("sro: NAME: there is no special resource other\n");
        assertThat(test("tested", "--timeout", "0").code()).isEqualTo(2);

        on.sandbox.apply(HttpSandbox.resource("one"));
        on.sandbox.run(Duration.ofMinutes(1));
        assertThat(test("one").err()).contains("no release of one is recorded in namespace one");
        assertThat(test("one").code()).isEqualTo(2);
    }
}
