package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.RecipeContext;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Recipes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeResolver;
import dev.sro.core.recipe.StateFileRecipes;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.SourceAnswer;
import dev.sro.core.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generated charts are rendered as helm does it, to the letter, and become the objects that the rules of the Special Resource
 * Operator make of what helm rendered: which are written down here once more, without the code that is tried.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(
        value = "dev.sro.core.recipe.chart.RealHelm#isHere",
        disabledReason = "no helm here: run .ci/helm/build.sh, or set SRO_HELM to the command")
class GeneratedChartsTest {

    /** Charts for one call of helm. */
    private static final int BATCH = 30;

    private static final Map<String, Object> VALUES = Map.of("kernelFullVersion", Nodes.K1);

    private static final Pattern STATE = Pattern.compile("(?:.*/)?[0-9]{4}[-_][^/]*\\.yaml");

    /** Of kernel and system, by the original's own rule for names ({@code 8.4-4.18.0-305.45.1.el8-4.x86-64}). */
    private static final Map<String, String> SUFFIXES =
            Map.of(Nodes.K1, "-b657a71de7fad62f", Nodes.K2, "-e383247e62b56585");

    /** Kinds whose names become labels. */
    private static final Set<String> SHORT = Set.of("DaemonSet", "Deployment", "StatefulSet", "Job", "Service");

    private final HelmRenderer renderer = new HelmRenderer();
    private final RealHelm helm = RealHelm.find().orElseThrow();

    @TempDir
    private Path folder = Path.of("");

    @AfterAll
    void close() {
        renderer.close();
    }

    @Test
    void thirtyCharts() {
        charts(Long.getLong("sro.charts.first", 1), Integer.getInteger("sro.charts.generated", 30));
    }

    @Test
    @Tag("slow")
    void manyCharts() {
        // Six thousand were rendered: -Dsro.charts.many=6000.
        charts(1_000_000, Integer.getInteger("sro.charts.many", 250));
    }

    private void charts(long first, int count) {
        SortedMap<String, String> faults = new ConcurrentSkipListMap<>();
        AtomicInteger objects = new AtomicInteger();
        int batches = (count + BATCH - 1) / BATCH;
        IntStream.range(0, batches).parallel().forEach(batch -> {
            long begin = first + (long) batch * BATCH;
            long end = Math.min(first + count, begin + BATCH);
            try {
                objects.addAndGet(batch(begin, end, faults));
            } catch (IOException | InterruptedException e) {
                faults.put("c" + begin, e.toString());
            }
        });
        assertThat(faults.entrySet().stream().limit(5))
                .as(faults.size() + " of " + count + " charts")
                .isEmpty();
        assertThat(objects.get()).as("objects").isGreaterThan(count);
    }

    /**
     * One call of helm for many charts, as charts within one: a call takes longer than what it renders. Of those in which it refuses
     * one, each half is asked by itself.
     */
    private int batch(long begin, long end, SortedMap<String, String> faults) throws IOException, InterruptedException {
        Path place = Files.createTempDirectory(folder, "umbrella");
        Files.writeString(place.resolve("Chart.yaml"), "apiVersion: v2\nname: umbrella\nversion: 0.1.0\n");
        Map<String, Map<String, String>> charts = new TreeMap<>();
        Map<String, Object> values = new TreeMap<>();
        for (long seed = begin; seed < end; seed++) {
            String name = "c" + seed;
            Map<String, String> files = new TreeMap<>(ChartGenerator.chart(seed));
            files.computeIfPresent("Chart.yaml", (path, text) -> text.replace("name: generated", "name: " + name));
            charts.put(name, files);
            values.put(name, VALUES);
            ChartGenerator.write(files, place.resolve("charts").resolve(name));
        }
        RenderRequest any = request(new ChartLoader().fromDirectory("umbrella", place));
        RealHelm.Output expected = helm.template(place, values, any, folder);
        if (expected.status() != 0 && end - begin > 1) {
            long middle = (begin + end) / 2;
            return batch(begin, middle, faults) + batch(middle, end, faults);
        }
        int objects = 0;
        for (Map.Entry<String, Map<String, String>> chart : charts.entrySet()) {
            try {
                objects += one(chart.getKey(), place.resolve("charts").resolve(chart.getKey()), expected);
            } catch (AssertionError | RuntimeException e) {
                faults.put(chart.getKey(), e.getMessage() + "\n" + chart.getValue());
            }
        }
        return objects;
    }

    private static RenderRequest request(Chart chart) {
        return new RenderRequest(chart, VALUES, new RenderRequest.Release("kmod", "kmod"), Rendering.CLUSTER, false);
    }

    private int one(String name, Path place, RealHelm.Output expected) {
        Chart chart = new ChartLoader().fromDirectory(name, place);
        RenderedChart rendered = renderer.render(request(chart));
        if (expected.status() != 0) {
            assertThat(rendered.problems())
                    .as("helm refuses it: " + expected.err())
                    .isNotEmpty();
            return 0;
        }
        assertThat(rendered.problems()).isEmpty();
        SortedMap<String, List<String>> texts = new TreeMap<>();
        rendered.texts().forEach((path, text) -> {
            List<String> documents = RealHelm.split(text).stream().sorted().toList();
            if (!documents.isEmpty()) {
                texts.put(path, documents);
            }
        });
        SortedMap<String, List<String>> theirs = new TreeMap<>();
        expected.documents().forEach((path, documents) -> {
            String own = path.replaceFirst("^umbrella/charts/", "");
            if (own.startsWith(name + "/") && !documents.isEmpty()) {
                theirs.put(own, documents);
            }
        });
        onlyComments(texts);
        onlyComments(theirs);
        assertThat(texts).isEqualTo(theirs);
        return compare(chart, rendered);
    }

    /** Helm prints no file of which nothing is left but comments, and splits two marks of documents in a row once only. */
    private static void onlyComments(SortedMap<String, List<String>> texts) {
        texts.replaceAll((path, documents) -> documents.stream()
                .map(text -> text.replaceFirst("^---\\s*", ""))
                .sorted()
                .filter(text -> text.lines().anyMatch(line -> !line.isBlank() && !line.startsWith("#")))
                .toList());
        texts.values().removeIf(List::isEmpty);
    }

    private int compare(Chart chart, RenderedChart rendered) {
        Recipe recipe = recipe(chart);
        List<DesiredState> states = Recipes.rendered(recipe, Nodes.node("one", Nodes.K1), Nodes.node("two", Nodes.K2));
        states.forEach(
                state -> assertThat(state.problems()).as(state.state().id()).isEmpty());
        SortedMap<String, String> found = new TreeMap<>();
        for (KubeObject object : Recipes.objects(states)) {
            String before =
                    found.put(id(object), object.annotation("example.com/mark").orElse(""));
            assertThat(before).as("twice: " + object.ref()).isNull();
            assertThat(object.label(MetadataKeys.OWNED)).contains("true");
            if (!object.ref().kind().equals("Namespace")) {
                assertThat(object.annotation("meta.helm.sh/release-name")).contains("kmod");
            }
        }
        assertThat(found).isEqualTo(expected(rendered));
        return found.size();
    }

    private static String id(KubeObject object) {
        return object.ref().kind() + " " + object.ref().namespace() + "/"
                + object.ref().name();
    }

    /** By the rules: states by path, then all others; the later of two wins; affine ones once for each kernel. */
    private static SortedMap<String, String> expected(RenderedChart rendered) {
        List<String> paths = new ArrayList<>(rendered.texts().keySet());
        paths.sort((a, b) -> {
            int order = Boolean.compare(
                    !STATE.matcher(a).matches(), !STATE.matcher(b).matches());
            return order == 0 ? a.compareTo(b) : order;
        });
        SortedMap<String, String> objects = new TreeMap<>();
        for (String path : paths) {
            for (Map<String, Object> document :
                    Yaml.documents(path, rendered.texts().getOrDefault(path, ""))) {
                List<Map<String, Object>> items =
                        ValueTrees.text(document, "kind").equals("List")
                                ? ValueTrees.maps(document, "items")
                                : List.of(document);
                items.forEach(item -> put(objects, item));
            }
        }
        return objects;
    }

    private static void put(SortedMap<String, String> objects, Map<String, Object> tree) {
        Map<String, Object> annotations = ValueTrees.map(tree, "metadata", "annotations");
        if (annotations.containsKey("helm.sh/hook")) {
            return;
        }
        String kind = ValueTrees.text(tree, "kind");
        String name = ValueTrees.text(tree, "metadata", "name");
        String own = ValueTrees.text(tree, "metadata", "namespace");
        String namespace =
                Set.of("Namespace", "ClusterRole", "CustomResourceDefinition").contains(kind)
                        ? ""
                        : own.isEmpty() ? "kmod" : own;
        String mark = String.valueOf(annotations.get("example.com/mark"));
        Object affine = annotations.get("specialresource.openshift.io/kernel-affine");
        boolean each = "true".equals(affine) || (kind.equals("BuildConfig") && affine == null);
        if (!each) {
            objects.put(kind + " " + namespace + "/" + name, mark);
            return;
        }
        SUFFIXES.values().forEach(suffix -> {
            int longest = (SHORT.contains(kind) ? 63 : 253) - suffix.length();
            String cut = name.length() <= longest ? name : MetadataKeys.fit(name, longest);
            objects.put(kind + " " + namespace + "/" + cut + suffix, mark);
        });
    }

    private Recipe recipe(Chart chart) {
        SpecialResource resource = Recipes.resource("kmod");
        ChartReference reference = new ChartReference();
        reference.setName("generated");
        Resources.spec(resource).setChart(reference);
        RecipeResolver.Resolution resolution = new RecipeResolver(
                        Plugins.of(),
                        PluginGuard.direct(),
                        new ChartRecipes(
                                (wanted, name) -> SourceAnswer.found(new ChartFetcher.Fetched(chart, List.of())),
                                renderer,
                                Resources.CODEC::toTree),
                        StateFileRecipes.NONE)
                .resolve(new RecipeContext(resource, Resources.CLUSTER));
        return Objects.requireNonNull(resolution.recipe(), () -> String.valueOf(resolution.problems()));
    }
}
