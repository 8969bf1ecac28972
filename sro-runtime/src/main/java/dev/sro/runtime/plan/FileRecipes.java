package dev.sro.runtime.plan;

import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.RecipeConfigMap;
import dev.sro.api.resource.RecipeSource;
import dev.sro.core.model.Operands;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.source.SourceAnswer;
import dev.sro.core.recipe.source.StateDirectories;
import dev.sro.core.recipe.source.StateFileSet;
import dev.sro.core.recipe.source.StateFiles;
import dev.sro.core.recipe.source.StateKeys;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Recipes of numbered manifests without a cluster: in directories, and in ConfigMaps among the files. Thread-safe. */
final class FileRecipes implements StateFiles {

    private final List<Document> maps;
    private final StateDirectories directories;

    /**
     * @param documents all that there is; what is no ConfigMap is passed over
     */
    FileRecipes(List<Document> documents, Clock clock) {
        this.maps = documents.stream().filter(FileRecipes::isMap).toList();
        this.directories = new StateDirectories(clock);
    }

    static boolean isMap(Document document) {
        return document.kindKey().equals("v1/ConfigMap");
    }

    @Override
    public SourceAnswer<StateFileSet> find(RecipeContext context) {
        RecipeSource source = context.spec().getRecipe();
        RecipeConfigMap map = source == null ? null : source.getConfigMap();
        String directory = source == null ? "" : source.getDirectory();
        if (!directory.isEmpty()) {
            return map == null
                    ? directories.read(directory)
                    : SourceAnswer.failed(Problem.user(
                            "NoRecipe",
                            "spec.recipe: at most one of configMap and directory is allowed; remove one of them"));
        }
        String namespace = map == null || map.getNamespace().isEmpty()
                ? Operands.namespace(context.specialResource())
                : map.getNamespace();
        String name = map == null || map.getName().isEmpty() ? context.name() : map.getName();
        Stream<Document> there = maps.stream()
                .filter(document ->
                        List.of("", namespace).contains(ValueTrees.text(document.tree(), "metadata", "namespace")));
        return there.filter(document -> document.name().equals(name)
                        || (map == null
                                && annotation(document, StateKeys.HARDWARE).equals(context.name())))
                .findFirst()
                .map(document -> found(document, namespace))
                .orElseGet(() -> SourceAnswer.failed(new Problem(
                        map == null ? "NoRecipe" : "RecipeNotFound",
                        "spec: a recipe is needed, and there is no ConfigMap " + namespace + "/" + name
                                + " among the files; give it with -f, or set spec.plugin.name, spec.chart or"
                                + " spec.recipe.directory",
                        Problem.Owner.USER,
                        true)));
    }

    private static SourceAnswer<StateFileSet> found(Document document, String namespace) {
        String hardware = annotation(document, StateKeys.HARDWARE);
        String label = ValueTrees.text(ValueTrees.map(document.tree(), "metadata", "labels"), StateKeys.CONFIG);
        SortedMap<String, String> files = new TreeMap<>();
        ValueTrees.map(document.tree(), "data").forEach((name, text) -> files.put(name, String.valueOf(text)));
        return SourceAnswer.found(new StateFileSet(
                "ConfigMap " + namespace + "/" + document.name(),
                files,
                annotation(document, StateKeys.NODE_FEATURE),
                hardware,
                hardware.isEmpty() && !label.equals("true"),
                Map.of(),
                List.of()));
    }

    private static String annotation(Document document, String key) {
        return ValueTrees.text(ValueTrees.map(document.tree(), "metadata", "annotations"), key);
    }
}
