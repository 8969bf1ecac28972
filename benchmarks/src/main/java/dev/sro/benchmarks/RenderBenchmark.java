package dev.sro.benchmarks;

import dev.sro.core.recipe.chart.CachingRenderer;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.chart.RenderRequest;
import dev.sro.core.recipe.chart.RenderedChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What rendering a chart costs, and asking again. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(1)
public class RenderBenchmark {

    private static final int SERVED = 300;
    private static final int ANSWERS = 100;
    private static final long CHARACTERS = 10_000_000;

    private static final String TEMPLATE = """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: {{ .Values.name }}-INDEX
              labels: {{- include "labels" . | nindent 4 }}
            spec:
              selector: {matchLabels: {app: {{ .Values.name }}}}
              template:
                metadata: {labels: {app: {{ .Values.name }}}}
                spec:
                  nodeSelector: {kernel: {{ .Values.kernelFullVersion }}}
                  containers:
                    - name: driver
                      image: registry.example.com/driver:{{ .Values.kernelFullVersion }}
                      env: {{- range $k, $v := .Values.env }}
                        - {name: {{ $k }}, value: {{ $v | quote }}}
                      {{- end }}
            {{- if .Capabilities.APIVersions.Has "security.openshift.io/v1" }}
            ---
            kind: SecurityContextConstraints
            {{- end }}
            """;

    /** How many templates the chart has. */
    @Param({"3", "100"})
    public int templates;

    private @Nullable HelmRenderer engine;
    private @Nullable CachingRenderer cache;
    private @Nullable RenderRequest request;

    /** Writes a chart and starts the engine. */
    @Setup(Level.Trial)
    public void start() throws IOException {
        Path folder = Files.createTempDirectory("render-benchmark");
        Files.writeString(folder.resolve("Chart.yaml"), "apiVersion: v2\nname: bench\nversion: 0.1.0\n");
        Files.createDirectory(folder.resolve("templates"));
        Files.writeString(
                folder.resolve("templates/_helpers.tpl"), "{{ define \"labels\" }}app: {{ .Chart.Name }}{{ end }}");
        for (int i = 0; i < templates; i++) {
            Files.writeString(
                    folder.resolve(String.format(Locale.ROOT, "templates/%04d-driver.yaml", i)),
                    TEMPLATE.replace("INDEX", String.valueOf(i)));
        }
        Chart chart = new ChartLoader().fromDirectory("bench", folder);
        TreeSet<String> served = new TreeSet<>();
        for (int i = 0; i < SERVED; i++) {
            served.add("group-" + i + ".example.com/v1");
        }
        Map<String, Object> values = Map.of(
                "name", "bench", "kernelFullVersion", "5.14.0-427.el9.x86_64", "env", Map.of("A", "1", "B", "2"));
        RenderRequest made = new RenderRequest(
                chart,
                values,
                new RenderRequest.Release("bench", "bench"),
                new RenderRequest.Cluster("v1.36.2", served),
                false);
        HelmRenderer renderer = new HelmRenderer();
        cache = new CachingRenderer(renderer, ANSWERS, CHARACTERS);
        cache.render(made);
        engine = renderer;
        request = made;
    }

    /** Ends the engine. */
    @TearDown(Level.Trial)
    public void stop() {
        if (engine != null) {
            engine.close();
        }
    }

    /** All templates through the engine, in its running process. */
    @Benchmark
    public RenderedChart render() {
        return Objects.requireNonNull(engine).render(Objects.requireNonNull(request));
    }

    /** The same question again: a digest of the values and a look-up. */
    @Benchmark
    public RenderedChart askAgain() {
        return Objects.requireNonNull(cache).render(Objects.requireNonNull(request));
    }
}
