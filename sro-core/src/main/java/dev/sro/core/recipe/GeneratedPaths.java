package dev.sro.core.recipe;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.chart.RenderedChart;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Where objects of a chart come out otherwise when it is rendered once more. Stateless. */
final class GeneratedPaths {
    private static final String TEXTS = "/stringData";

    private GeneratedPaths() {}

    /** JSON pointers by {@link #key}; objects that come out equal, or under another name, are left out. */
    static Map<String, List<String>> between(RenderedChart first, RenderedChart second) {
        Map<String, List<String>> found = new HashMap<>();
        first.texts().forEach((path, text) -> {
            String other = second.texts().getOrDefault(path, text);
            if (!text.equals(other)) {
                List<Map<String, Object>> one = objects(path, text);
                List<Map<String, Object>> two = objects(path, other);
                for (int i = 0; one.size() == two.size() && i < one.size(); i++) {
                    Collection<String> differ = new TreeSet<>();
                    compare("", one.get(i), two.get(i), differ);
                    String key = key(one.get(i));
                    if (!differ.isEmpty() && key.equals(key(two.get(i)))) {
                        found.put(key, List.copyOf(differ));
                    }
                }
            }
        });
        return found;
    }

    /** Kind, namespace and name as they are in the chart. */
    static String key(Map<String, Object> object) {
        return ValueTrees.text(object, "kind") + "/" + ValueTrees.text(object, "metadata", "namespace") + "/"
                + ValueTrees.text(object, "metadata", "name");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> objects(String path, String text) {
        List<Map<String, Object>> objects = new ArrayList<>();
        try {
            for (Map<String, Object> document : Yaml.documents(path, text)) {
                if (ValueTrees.text(document, "kind").endsWith("List")
                        && document.get("items") instanceof List<?> list) {
                    list.forEach(item -> {
                        if (item instanceof Map<?, ?> map) {
                            objects.add((Map<String, Object>) map);
                        }
                    });
                } else {
                    objects.add(document);
                }
            }
        } catch (YamlException e) {
            // Whoever makes objects of it says so.
            return List.of();
        }
        return objects;
    }

    private static void compare(String path, @Nullable Object one, @Nullable Object two, Collection<String> differ) {
        if (one instanceof Map<?, ?> first && two instanceof Map<?, ?> second) {
            TreeSet<String> keys = new TreeSet<>();
            first.keySet().forEach(key -> keys.add(String.valueOf(key)));
            second.keySet().forEach(key -> keys.add(String.valueOf(key)));
            keys.forEach(key -> compare(
                    path + "/" + key.replace("~", "~0").replace("/", "~1"), first.get(key), second.get(key), differ));
        } else if (one instanceof List<?> first && two instanceof List<?> second && first.size() == second.size()) {
            for (int i = 0; i < first.size(); i++) {
                compare(path + "/" + i, first.get(i), second.get(i), differ);
            }
        } else if (!Objects.equals(one, two)) {
            differ.add(path);
            if (path.startsWith(TEXTS)) {
                // The API server, and SRO, make the one of the other.
                differ.add("/data" + path.substring(TEXTS.length()));
            }
        }
    }
}
