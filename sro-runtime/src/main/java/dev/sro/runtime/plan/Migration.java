package dev.sro.runtime.plan;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.source.StateKeys;
import dev.sro.runtime.UnusableInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Special resources of earlier versions as those of today. Each of the first version lived in a namespace, and one of them served all
 * recipes there, which were ConfigMaps: today there is one for each. Confined to one thread.
 */
final class Migration {

    /** What the API server, or whoever applied it, has written; a new object has its own. */
    private static final Set<String> KEPT_METADATA = Set.of("name", "labels", "annotations");

    /** Of {@code spec.metadata}: the one became {@code spec.namespace}, the other meant nothing. */
    private static final Set<String> KEPT_IN_SPEC = Set.of("namespace", "name", "creationTimestamp");

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final ResourceSchema schema = ResourceSchema.load();
    private final List<Map<String, Object>> objects = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();
    private final Set<String> names = new TreeSet<>();

    private Migration() {}

    /**
     * Converts what is of an earlier version; all else stays as it is.
     *
     * @param file where they are from, for messages
     * @throws UnusableInputException if nothing in it is of an earlier version
     */
    static Migration of(Path file, List<Document> documents) {
        Migration migration = new Migration();
        List<Document> recipes = documents.stream().filter(Migration::isRecipe).toList();
        boolean any = false;
        for (Document document : documents) {
            if (EarlierVersions.changes(document.tree()).isEmpty()) {
                migration.objects.add(document.tree());
                continue;
            }
            any = true;
            if (EarlierVersions.isFirst(document.tree())) {
                migration.convert(document, recipes);
            } else {
                migration.add(document, document.name(), Map.of());
            }
        }
        if (!any) {
            throw new UnusableInputException(
                    file.toString(),
                    "there is no special resource of an earlier version in it (" + SpecialResource.GROUP
                            + "/v1alpha1, or without spec.namespace), so there is nothing to do");
        }
        return migration;
    }

    private static boolean isRecipe(Document document) {
        return FileRecipes.isMap(document) && !hardware(document).isEmpty();
    }

    private static String hardware(Document document) {
        return ValueTrees.text(document.tree(), "metadata", "annotations", StateKeys.HARDWARE);
    }

    /** What there is to apply, in the order of the file. */
    List<Map<String, Object>> objects() {
        return objects;
    }

    /** What was left out because it meant nothing. */
    List<String> notes() {
        return notes;
    }

    /** What could not be converted, with what to do about it. */
    List<String> lost() {
        return lost;
    }

    private void convert(Document document, List<Document> recipes) {
        String namespace = ValueTrees.text(document.tree(), "metadata", "namespace");
        List<Document> own = recipes.stream()
                .filter(recipe ->
                        List.of("", namespace).contains(ValueTrees.text(recipe.tree(), "metadata", "namespace")))
                .toList();
        if (own.isEmpty()) {
            if (!ValueTrees.map(document.tree(), "spec").containsKey("recipe")) {
                lost.add(document.where() + ": spec.recipe: the first version took every ConfigMap with the label "
                        + StateKeys.CONFIG + " in its namespace; write a special resource for each, named like its"
                        + " annotation " + StateKeys.HARDWARE + ", or give the ConfigMaps in the file");
            }
            add(document, document.name(), Map.of());
            return;
        }
        for (Document recipe : own) {
            Map<String, Object> reference = new LinkedHashMap<>();
            reference.put("name", recipe.name());
            if (!namespace.isEmpty()) {
                reference.put("namespace", namespace);
            }
            add(document, hardware(recipe), reference);
        }
    }

    private void add(Document document, String name, Map<String, Object> configMap) {
        String where = document.where() + (name.equals(document.name()) ? "" : ", for " + name);
        if (!names.add(name)) {
            lost.add(where + ": metadata.name: a special resource " + name
                    + " is in the file already, and today they are"
                    + " in no namespace; give one of the two another name");
            return;
        }
        Map<String, Object> spec = spec(where, document);
        if (!configMap.isEmpty()) {
            spec.put("recipe", Map.of("configMap", configMap));
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", SpecialResource.GROUP + "/" + SpecialResource.VERSION);
        tree.put("kind", SpecialResource.KIND);
        tree.put("metadata", metadata(where, document, name));
        tree.put("spec", spec);
        ResourceSchema.Pruned pruned = schema.prune(tree);
        pruned.unknown()
                .forEach(field -> lost.add(where + ": " + field
                        + ": there is no such field any more, and it is left out; see docs/reference/specialresource.md"
                        + schema.meant(field)));
        pruned.errors().forEach(error -> lost.add(where + ": " + error + "; correct it in what is printed"));
        objects.add(pruned.tree());
    }

    private Map<String, Object> metadata(String where, Document document, String name) {
        Map<String, Object> before = ValueTrees.map(document.tree(), "metadata");
        Map<String, Object> metadata = new LinkedHashMap<>();
        before.forEach((key, value) -> {
            if (KEPT_METADATA.contains(key)) {
                metadata.put(key, value);
            }
        });
        metadata.put("name", name);
        Map<String, Object> annotations = new LinkedHashMap<>(ValueTrees.map(before, "annotations"));
        if (annotations.remove(LAST_APPLIED) != null) {
            metadata.put("annotations", annotations);
        }
        if (annotations.isEmpty()) {
            metadata.remove("annotations");
        }
        if (before.containsKey("ownerReferences")) {
            lost.add(where
                    + ": metadata.ownerReferences: what is in a namespace cannot own what is in none; delete it by"
                    + " hand when its owner goes");
        }
        return metadata;
    }

    private Map<String, Object> spec(String where, Document document) {
        Map<String, Object> spec = ValueTrees.mutableCopy(ValueTrees.map(document.tree(), "spec"));
        spec.put("namespace", EarlierVersions.namespace(document.tree()));
        if (spec.remove("metadata") instanceof Map<?, ?> metadata) {
            metadata.keySet().stream()
                    .filter(key -> !KEPT_IN_SPEC.contains(String.valueOf(key)))
                    .forEach(key -> lost.add(where + ": spec.metadata." + key + ": it is left out, as there is no such"
                            + " field any more"));
        }
        if (spec.remove("size") != null) {
            notes.add(where + ": spec.size: it is left out, as it never meant anything");
        }
        if (EarlierVersions.isFirst(document.tree()) && spec.get("dependsOn") instanceof List<?> needs) {
            spec.put("dependsOn", dependsOn(where, needs));
        }
        return spec;
    }

    /** By name alone: nothing is made from images. */
    private List<Map<String, Object>> dependsOn(String where, List<?> needs) {
        List<Map<String, Object>> names = new ArrayList<>();
        for (int i = 0; i < needs.size(); i++) {
            String field = where + ": spec.dependsOn[" + i + "]";
            String name = needs.get(i) instanceof Map<?, ?> map
                    ? String.valueOf(map.containsKey("name") ? map.get("name") : "")
                    : String.valueOf(needs.get(i));
            if (name.isEmpty()) {
                lost.add(field + ": it has no name and is left out; name the special resource that is needed");
                continue;
            }
            names.add(Map.of("name", name));
            if (needs.get(i) instanceof Map<?, ?> map && map.containsKey("imageReference")) {
                lost.add(field + ".imageReference: nothing is made from images any more; there has to be a special"
                        + " resource " + name);
            }
        }
        return names;
    }
}
