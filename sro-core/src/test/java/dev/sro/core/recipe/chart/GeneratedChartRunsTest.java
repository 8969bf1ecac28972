package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.Engine;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Recipes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.Charts;
import dev.sro.core.recipe.generated.PretendedControllers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

    /** As published, in the order of their pools. */
    private static final Map<String, String> SUFFIXES =
            new TreeMap<>(Map.of(Nodes.K1, "-b657a71de7fad62f", Nodes.K2, "-e383247e62b56585"));

    private final HelmRenderer renderer = new HelmRenderer();

    @TempDir
    private Path folder = Path.of("");

    @AfterAll
    void close() {
        renderer.close();
    }

    @Test
    void thirtyCharts() throws IOException {
        charts(Long.getLong("sro.chartruns.first", 1), Integer.getInteger("sro.chartruns.generated", 30));
    }

    @Test
    @Tag("slow")
    void fourThousandCharts() throws IOException {
        charts(2_000_000, 4_000);
    }

    /** Those that showed a mistake once. */
    @ParameterizedTest
    @ValueSource(longs = {82, 109, 130, 257})
    void thoseThatFailedOnce(long seed) throws IOException {
        charts(seed, 1);
    }

    private void charts(long first, int count) throws IOException {
        List<String> faults = new ArrayList<>();
        for (long seed = first; seed < first + count; seed++) {
            Map<String, String> files = new TreeMap<>(ChartGenerator.chart(seed));
            // Logs are another test's.
            files.replaceAll((name, text) -> text.replace("wait-for-logs", "other"));
            try {
                new Life(seed, files, Files.createTempDirectory(folder, "chart")).live();
            } catch (AssertionError | RuntimeException e) {
                faults.add("seed " + seed + ": " + e.getMessage() + (faults.isEmpty() ? "\n" + files : ""));
            }
        }
        assertThat(faults.subList(0, Math.min(20, faults.size())))
                .as(faults.size() + " of " + count + " charts")
                .isEmpty();
    }

    private final class Life {
        private final FakeCluster cluster = new FakeCluster();
        private final TestClock clock = new TestClock();
        private final Map<String, RenderedChart> rendered = new TreeMap<>();
        private final Map<String, String> files;
        private final Random random;
        private final Engine engine;
        private final Set<String> ready = new TreeSet<>();

        Life(long seed, Map<String, String> files, Path place) {
            this.files = files;
            this.random = new Random(seed);
            Chart chart = new ChartLoader().fromDirectory("generated", ChartGenerator.write(files, place));
            SpecialResource resource = Recipes.resource("kmod");
            ChartReference reference = new ChartReference();
            reference.setName("generated");
            Resources.spec(resource).setChart(reference);
            cluster.with(resource);
            cluster.with(Nodes.node("one", Nodes.K1), Nodes.node("two", Nodes.K2));
            this.engine = cluster.engine(clock, new TestPlugin("none"))
                    .charts(new ChartRecipes(
                            (wanted, name) -> new Charts.Found(chart, List.of()),
                            this::render,
                            Resources.CODEC::toTree))
                    .build();
        }

        private RenderedChart render(RenderRequest request) {
            RenderedChart result = renderer.render(request);
            rendered.put(String.valueOf(request.values().get("kernelFullVersion")), result);
            return result;
        }

        void live() {
            rest();
            assertThat(rendered)
                    .as("one kernel, where nothing is kernel-affine, or both")
                    .hasSizeBetween(1, 2);
            assertThat(rendered.values()).allMatch(chart -> chart.problems().isEmpty());
            Map<String, String> templates = new TreeMap<>(files);
            templates.keySet().removeIf(name -> !name.startsWith("templates/") || name.contains("/_"));
            Map<String, String> named = new TreeMap<>();
            templates.forEach((name, text) -> named.put("generated/" + name, text));
            ChartExpectation expectation = new ChartExpectation(named, rendered);
            for (int round = 0; round < 30; round++) {
                assertThat(there())
                        .as("applied while ready are " + ready)
                        .isEqualTo(renamed(expectation.applied(ready)));
                List<String> left = new ArrayList<>(expectation.waited());
                left.removeAll(ready);
                left.retainAll(marks());
                if (left.isEmpty()) {
                    assertThat(isReady()).as("" + cluster.status("kmod")).isTrue();
                    return;
                }
                assertThat(isReady()).as("Ready too early").isFalse();
                ready.add(left.remove(0));
                left.stream().filter(mark -> random.nextBoolean()).forEach(ready::add);
                rest();
            }
        }

        private boolean isReady() {
            return cluster.status("kmod").getConditions().stream()
                    .anyMatch(condition -> condition.getType().equals("Ready")
                            && condition.getStatus().equals("True"));
        }

        private void rest() {
            int before = -1;
            for (int turn = 0; turn < 20 && before != cluster.writes.size(); turn++) {
                before = cluster.writes.size();
                for (int i = 0; i < 2; i++) {
                    engine.reconcile("kmod");
                    PretendedControllers.run(
                            cluster,
                            live -> live.annotation("helm.sh/hook").isPresent() || ready.contains(mark(live)),
                            live -> false);
                    clock.advance(Duration.ofSeconds(70));
                }
            }
            assertThat(cluster.writes.size()).as("it goes on writing").isEqualTo(before);
        }

        private static String mark(KubeObject live) {
            return live.annotation("example.com/mark").orElse("");
        }

        private Set<String> marks() {
            Set<String> marks = new TreeSet<>();
            cluster.objects.values().forEach(live -> marks.add(mark(live)));
            return marks;
        }

        /** Mark, namespace, name and kernel, whose suffix is left out. */
        private Set<String> there() {
            Set<String> all = new TreeSet<>();
            cluster.objects.values().stream()
                    .filter(live -> !mark(live).isEmpty())
                    .forEach(live -> {
                        String name = live.ref().name();
                        String kernel = "";
                        for (Map.Entry<String, String> suffix : SUFFIXES.entrySet()) {
                            if (name.endsWith(suffix.getValue())) {
                                kernel = suffix.getKey();
                                name = name.substring(
                                        0, name.length() - suffix.getValue().length());
                            }
                        }
                        all.add(mark(live) + " " + live.ref().namespace() + "/" + cut(name) + " " + kernel);
                    });
            return all;
        }

        /** SRO: long names are cut where the suffix needs the room. */
        private static String cut(String name) {
            return name.length() > 25 ? name.substring(0, 25) : name;
        }

        private Set<String> renamed(Set<String> things) {
            Set<String> all = new TreeSet<>();
            for (String thing : things) {
                int slash = thing.indexOf('/');
                int end = thing.indexOf(' ', slash);
                all.add(thing.substring(0, slash + 1) + cut(thing.substring(slash + 1, end)) + thing.substring(end));
            }
            return all;
        }
    }
}
