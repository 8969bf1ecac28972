package dev.sro.core.module;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.ModuleWatch;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.chart.RenderRequest;
import dev.sro.core.recipe.chart.RenderedChart;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.SourceAnswer;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A module whose reconcile fails in a way that nobody thought of says so, keeps what it has, and is tried again. */
class ModuleReconcilerTest {

    private static final String TEXT = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """;

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final List<SpecialResourceModule> modules = new ArrayList<>();
    private @Nullable Throwable renders;
    private @Nullable Throwable reads;

    @TempDir
    private Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private ModuleReconciler reconciler;

    @BeforeEach
    void chart() throws IOException, ChartException {
        Files.writeString(folder.resolve("Chart.yaml"), "apiVersion: v2\nname: demo\nversion: 0.1.0\n");
        Files.createDirectory(folder.resolve("templates"));
        Files.writeString(folder.resolve("templates/1000-a.yaml"), TEXT);
        modules.add(Resources.CODEC.fromTree(
                Map.of(
                        "apiVersion",
                        "sro.openshift.io/v1beta1",
                        "kind",
                        "SpecialResourceModule",
                        "metadata",
                        Map.of("name", "fleet", "uid", "uid-fleet", "generation", 1),
                        "spec",
                        Map.of(
                                "namespace",
                                "fleet",
                                "chart",
                                Map.of(
                                        "name",
                                        "demo",
                                        "version",
                                        "0.1.0",
                                        "repository",
                                        Map.of("name", "example", "url", "https://charts.example.com")),
                                "watch",
                                List.of(Map.of("apiVersion", "v1", "kind", "ConfigMap", "path", "$.data.version")))),
                SpecialResourceModule.class));
        Chart chart = new ChartLoader().fromDirectory("demo", folder);
        ChartRecipes recipes = new ChartRecipes(
                (wanted, name) -> SourceAnswer.found(new ChartFetcher.Fetched(chart, List.of())),
                this::render,
                Resources.CODEC::toTree);
        Modules store = new Modules();
        DesiredModules desires = new DesiredModules(
                store, cluster, recipes, new AssumedVersions(Map.of(Nodes.K1, "8.4")), Resources.CODEC);
        reconciler = new ModuleReconciler(store, reader(), writer(), cluster, desires, clock);
    }

    private RenderedChart render(RenderRequest request) {
        fail(renders);
        return new RenderedChart(
                new TreeMap<>(Map.of("demo/templates/1000-a.yaml", TEXT)), new TreeMap<>(), new TreeMap<>(), List.of());
    }

    private static void fail(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Which knows no modules: it takes their finalizers for granted. */
    private ClusterWriter writer() {
        SpecialResource written = new SpecialResource();
        written.setMetadata(
                new ObjectMetaBuilder().withFinalizers(MetadataKeys.FINALIZER).build());
        return proxy(
                ClusterWriter.class, method -> method.equals("setFinalizer") ? Optional.of(written) : Optional.empty());
    }

    private <T> T proxy(Class<T> type, Function<String, Optional<?>> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Optional<?> answer = answers.apply(method.getName());
                    try {
                        return answer.isPresent() ? answer.get() : method.invoke(cluster, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** Fails where objects are looked up, once for each failure that is set. */
    private ClusterReader reader() {
        return proxy(ClusterReader.class, method -> {
            if (method.equals("owned")) {
                Throwable thrown = reads;
                reads = null;
                fail(thrown);
            }
            return Optional.empty();
        });
    }

    private String conditions() {
        return String.valueOf(
                modules.get(0).getStatus() == null
                        ? "none"
                        : modules.get(0).getStatus().getConditions());
    }

    private Duration wait(Optional<Instant> at) {
        return Duration.between(clock.instant(), at.orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error", "stack"})
    void aFailureWhileItsChartIsRenderedIsAStatus(String kind) {
        renders = thrown(kind);
        Optional<Instant> again = reconciler.reconcile("fleet", () -> {});

        assertThat(conditions()).contains("UnexpectedFailure");
        assertThat(wait(again)).isLessThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(cluster.names("ConfigMap")).isEmpty();

        renders = null;
        clock.advance(Duration.ofMinutes(1));
        reconciler.reconcile("fleet", () -> {});
        reconciler.reconcile("fleet", () -> {});
        assertThat(cluster.names("ConfigMap")).containsExactly("a");
        assertThat(conditions()).doesNotContain("UnexpectedFailure");
    }

    private static Throwable thrown(String kind) {
        return switch (kind) {
            case "exception" -> new IllegalStateException("nobody thought of it");
            case "error" -> new AssertionError("nobody thought of it");
            default -> new StackOverflowError();
        };
    }

    @Test
    void aFailureWhileItIsPlannedTakesNothingAway() {
        reconciler.reconcile("fleet", () -> {});
        reconciler.reconcile("fleet", () -> {});
        assertThat(cluster.names("ConfigMap")).containsExactly("a");
        reads = new IllegalStateException("nobody thought of it");
        Optional<Instant> again = reconciler.reconcile("fleet", () -> {});

        assertThat(cluster.names("ConfigMap")).containsExactly("a");
        assertThat(wait(again)).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    /** Those of the test; nothing is watched. */
    private final class Modules implements ModuleStore {
        @Override
        public Optional<SpecialResourceModule> find(String name) {
            return modules.stream()
                    .filter(module -> module.getMetadata().getName().equals(name))
                    .findFirst();
        }

        @Override
        public Collection<SpecialResourceModule> all() {
            return modules;
        }

        @Override
        public Observed observed(ModuleWatch watch) {
            return new Observed(List.of(), Optional.empty());
        }

        @Override
        public void writeStatus(SpecialResourceModule module, SpecialResourceModuleStatus status) {
            SpecialResourceModule copy =
                    Resources.CODEC.fromTree(Resources.CODEC.toTree(modules.get(0)), SpecialResourceModule.class);
            copy.setStatus(status);
            modules.set(0, copy);
        }
    }
}
