package dev.sro.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Plan;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.chart.ChartPaths;
import dev.sro.core.recipe.chart.ChartValues;
import dev.sro.core.recipe.chart.RenderRequest;
import dev.sro.core.recipe.chart.RenderedChart;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.Charts;
import dev.sro.core.recipe.source.SourceAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Charts and special resources with mistakes in them: whatever they are, the engine ends with a status that says what is wrong,
 * makes nothing of a state that it could not render, comes to rest, and takes everything away in the end.
 *
 * <p>{@code -Dsro.fuzz.seed} and {@code -Dsro.fuzz.count} choose others.
 */
class RecipeFuzzTest {

    private static final String NAME = "kmod";
    private static final Pattern VALUE = Pattern.compile("\\{\\{-? \\.Values\\.([A-Za-z.]+) -?}}");
    private static final long SEED = Long.getLong("sro.fuzz.seed", 1);

    /** Turns in which everything comes to rest; hooks that fail hold up a deletion for ten minutes. */
    private static final int TURNS = 60;

    private static final Map<String, Object> RESOURCE = Map.of(
            "apiVersion",
            "sro.openshift.io/v1beta1",
            "kind",
            "SpecialResource",
            "metadata",
            Map.of("name", NAME, "uid", "uid-kmod", "generation", 1),
            "spec",
            Map.of(
                    "namespace",
                    NAME,
                    "chart",
                    Map.of(
                            "name",
                            NAME,
                            "version",
                            "1.0.0",
                            "repository",
                            Map.of("name", "example", "url", "https://charts.example.com")),
                    "nodeSelector",
                    Map.of(),
                    "set",
                    Map.of("apiVersion", "sro.openshift.io/v1beta1", "kind", "Values", "word", "two"),
                    "driverContainer",
                    Map.of("source", Map.of("git", Map.of("ref", "main", "uri", "https://git.example.com/k.git"))),
                    "managementState",
                    "Managed"));

    @Test
    void aHundred() {
        run(SEED, Integer.getInteger("sro.fuzz.count", 100));
    }

    /** A hundred thousand were lived through: {@code -Dsro.fuzz.many=100000}. */
    @Test
    @Tag("slow")
    void manyMore() {
        run(1_000_000, Integer.getInteger("sro.fuzz.many", 1_500));
    }

    /** Those that showed a mistake of the engine once. */
    @ParameterizedTest
    @ValueSource(longs = {2003, 29703})
    void thoseThatFailedOnce(long seed) {
        run(seed, 1);
    }

    private static void run(long first, int count) {
        // One in five is the same as one before it, and lives the same life.
        Set<String> seen = ConcurrentHashMap.newKeySet();
        LongStream.range(first, first + count).parallel().forEach(seed -> one(seed, seen));
    }

    private static void one(long seed, Set<String> seen) {
        long begin = System.nanoTime();
        try {
            RecipeMutator mutator = new RecipeMutator(seed);
            Map<String, String> files = mutator.files();
            Map<String, Object> resource = mutator.resource(ValueTrees.mutableCopy(RESOURCE));
            if (seen.add(digest(files + "\n" + resource))) {
                new Life(files, resource).live();
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
        }
        // Far above any; one that hangs would never get here, and the build would end it.
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("seed " + seed)
                .isLessThan(Duration.ofSeconds(20));
    }

    private static String digest(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return new String(sum, StandardCharsets.ISO_8859_1);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One special resource from its creation to its end. */
    private static final class Life {
        private final FakeCluster cluster = new FakeCluster();
        private final TestClock clock = new TestClock();
        private final Map<String, Object> tree;
        private final Charts charts;

        Life(Map<String, String> files, Map<String, Object> tree) {
            this.tree = tree;
            this.charts = charts(files);
            cluster.with(Nodes.node("one", Nodes.K1), Nodes.node("two", Nodes.K2));
        }

        void live() {
            SpecialResource resource;
            try {
                resource = Resources.CODEC.fromTree(tree, SpecialResource.class);
            } catch (IllegalArgumentException refused) {
                // So does the API server, by the schema.
                return;
            }
            cluster.with(resource);
            Engine engine = engine();
            rest(engine);
            nothingOfABrokenState(engine);
            // As after a kill: what another engine sees and does is the same.
            Engine next = engine();
            next.reconcile(NAME);
            int writes = cluster.writes.size();
            next.reconcile(NAME);
            assertThat(cluster.writes.subList(writes, cluster.writes.size()))
                    .as("writes when nothing changes")
                    .isEmpty();
            end(next);
        }

        private Engine engine() {
            return cluster.engine(clock, new TestPlugin("none"))
                    .charts(new ChartRecipes(charts, Life::render, resource -> Resources.CODEC.toTree(resource)))
                    .build();
        }

        private void rest(Engine engine) {
            int before = -1;
            for (int turn = 0; turn < TURNS && before != cluster.writes.size(); turn++) {
                before = cluster.writes.size();
                engine.reconcile(NAME);
                cluster.controllers();
                clock.advance(Duration.ofSeconds(70));
                engine.reconcile(NAME);
                cluster.controllers();
                clock.advance(Duration.ofSeconds(70));
            }
            assertThat(cluster.writes.size())
                    .as("it goes on writing: " + tail())
                    .isEqualTo(before);
        }

        private List<String> tail() {
            return cluster.writes.subList(Math.max(0, cluster.writes.size() - 10), cluster.writes.size());
        }

        private void nothingOfABrokenState(Engine engine) {
            engine.plan(NAME)
                    .orElseThrow()
                    .states()
                    .forEach(state -> state.pools().forEach((pool, report) -> {
                        boolean broken = report.outcome() instanceof Outcome.Failed failed
                                && failed.problem().code().equals("InvalidManifest");
                        if (broken) {
                            assertThat(cluster.objects.values())
                                    .as("of " + state.state() + ", which could not be rendered")
                                    .noneMatch(object -> object.annotation(MetadataKeys.STATE)
                                                    .equals(Optional.of(state.state()))
                                            && object.annotation(MetadataKeys.POOL)
                                                    .orElse(pool)
                                                    .equals(pool));
                        }
                    }));
        }

        private void end(Engine engine) {
            SpecialResource leaving = Resources.copy(Objects.requireNonNull(cluster.resources.get(NAME)));
            leaving.getMetadata().setDeletionTimestamp(clock.instant().toString());
            cluster.with(leaving);
            for (int turn = 0; turn < TURNS && cluster.resources.containsKey(NAME); turn++) {
                Plan plan = engine.reconcile(NAME).plan();
                if (plan == null || (plan.done() && !hasFinalizer())) {
                    cluster.resources.remove(NAME);
                }
                cluster.controllers();
                clock.advance(Duration.ofMinutes(2));
            }
            assertThat(hasFinalizer()).as("it never goes: " + tail()).isFalse();
            assertThat(cluster.objects.values().stream()
                            .filter(object ->
                                    object.label(MetadataKeys.SPECIAL_RESOURCE).isPresent())
                            .filter(object ->
                                    object.annotation(MetadataKeys.KEEP).isEmpty())
                            .filter(object -> !object.ref().kind().equals("Namespace"))
                            .map(KubeObject::toString))
                    .as("what is left")
                    .isEmpty();
            assertThat(cluster.nodes.values())
                    .allMatch(node -> node.appliedLabels().isEmpty());
        }

        private boolean hasFinalizer() {
            SpecialResource resource = cluster.resources.get(NAME);
            return resource != null && resource.getMetadata().getFinalizers().contains(MetadataKeys.FINALIZER);
        }

        private static Charts charts(Map<String, String> files) {
            try {
                Chart chart = new ChartLoader().fromArchive("fuzzed", archive(files));
                return (reference, name) -> SourceAnswer.found(new ChartFetcher.Fetched(chart, List.of()));
            } catch (ChartException e) {
                return (reference, name) -> SourceAnswer.failed(e.problem());
            }
        }

        private static RenderedChart render(RenderRequest request) {
            Map<String, Object> values = ChartValues.effective(request.chart(), request.values());
            SortedMap<String, String> texts = new TreeMap<>();
            SortedMap<String, Problem> problems = new TreeMap<>();
            ChartPaths.templates(request.chart()).forEach((path, file) -> {
                String text = VALUE.matcher(file.text())
                        .replaceAll(found -> Matcher.quoteReplacement(
                                ValueTrees.text(values, found.group(1).split("\\."))));
                if (text.contains("{{")) {
                    problems.put(
                            path,
                            new Problem(
                                    "ChartTemplateFailed", path + ": cannot be rendered", Problem.Owner.VENDOR, false));
                } else {
                    texts.put(path, text);
                }
            });
            SortedMap<String, String> crds = new TreeMap<>();
            ChartPaths.crds(request.chart()).forEach((path, file) -> crds.put(path, file.text()));
            return new RenderedChart(texts, problems, crds, List.of());
        }
    }

    /** A gzipped tar of plain files, by the rules of ustar. */
    private static byte[] archive(Map<String, String> files) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                byte[] content = file.getValue().getBytes(StandardCharsets.UTF_8);
                byte[] header = new byte[512];
                put(header, 0, "kmod/" + file.getKey());
                put(header, 100, "0000644");
                put(header, 124, String.format("%011o", content.length));
                put(header, 136, "00000000000");
                header[156] = '0';
                put(header, 257, "ustar");
                put(header, 263, "00");
                put(header, 148, "        ");
                int sum = 0;
                for (byte b : header) {
                    sum += b & 0xff;
                }
                put(header, 148, String.format("%06o\0 ", sum));
                zip.write(header);
                zip.write(content);
                zip.write(new byte[(512 - content.length % 512) % 512]);
            }
            zip.write(new byte[1024]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
