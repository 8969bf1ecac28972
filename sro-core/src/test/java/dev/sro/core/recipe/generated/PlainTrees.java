package dev.sro.core.recipe.generated;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Trees of objects as they are compared: without what the cluster writes, and without the marks of SRO itself. Stateless. */
public final class PlainTrees {

    private PlainTrees() {}

    /** Of an object that is there. */
    public static Map<String, Object> live(Map<String, Object> tree) {
        Map<String, Object> copy = ExpectedTrees.map(normal(tree));
        copy.remove("status");
        Map<String, Object> metadata = ExpectedTrees.map(Objects.requireNonNull(copy.get("metadata")));
        metadata.keySet().retainAll(Set.of("name", "namespace", "labels", "annotations"));
        if (metadata.get("annotations") instanceof Map<?, ?> annotations) {
            annotations.remove("deprecated.daemonset.template.generation");
        }
        return ExpectedTrees.map(withoutOurs(copy));
    }

    private static Object withoutOurs(Object tree) {
        if (tree instanceof Map<?, ?> map) {
            Map<String, Object> result = new TreeMap<>();
            map.forEach((key, value) -> {
                if (!String.valueOf(key).startsWith("sro.dev/")) {
                    result.put(String.valueOf(key), withoutOurs(value));
                }
            });
            return result;
        }
        return tree instanceof List<?> list
                ? list.stream().map(PlainTrees::withoutOurs).toList()
                : tree;
    }

    /** Numbers as texts of numbers, no empty node selectors, and nothing for what is null. */
    public static Object normal(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            Map<String, Object> result = new TreeMap<>();
            map.forEach((key, value) -> {
                if (!(key.equals("nodeSelector") && value instanceof Map<?, ?> selector && selector.isEmpty())) {
                    result.put(String.valueOf(key), normal(value));
                }
            });
            return result;
        }
        if (tree instanceof List<?> list) {
            List<Object> result = new ArrayList<>();
            list.forEach(each -> result.add(normal(each)));
            return result;
        }
        return tree == null ? "null" : tree instanceof Number number ? "number " + number : tree;
    }
}
