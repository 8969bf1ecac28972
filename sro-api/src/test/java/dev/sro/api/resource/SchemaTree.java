package dev.sro.api.resource;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** An openAPIV3Schema as plain maps, addressed by paths like {@code spec.dependencies[].set}. */
@SuppressWarnings("unchecked")
final class SchemaTree {
    private final Map<String, Object> node;

    SchemaTree(Map<String, Object> node) {
        this.node = node;
    }

    /** The schema at a path below this one. */
    SchemaTree at(String path) {
        Map<String, Object> here = node;
        for (String step : path.split("\\.", -1)) {
            String name = step.replace("[]", "");
            here = (Map<String, Object>)
                    requireNonNull(child(here, "properties").get(name), path);
            for (int i = name.length(); i < step.length(); i += 2) {
                here = child(here, "items");
            }
        }
        return new SchemaTree(here);
    }

    Map<String, Object> keywords() {
        return node;
    }

    SchemaTree put(String keyword, Object value) {
        node.put(keyword, value);
        return this;
    }

    SchemaTree without(String keyword) {
        node.remove(keyword);
        return this;
    }

    /** Makes the list a map by key: server-side apply then merges it entry by entry and refuses doubles. */
    SchemaTree listMap(String key) {
        return put("x-kubernetes-list-type", "map").put("x-kubernetes-list-map-keys", List.of(key));
    }

    /** Adds a property that the classes do not describe. */
    SchemaTree property(String name, Map<String, Object> schema) {
        ((Map<String, Object>) node.computeIfAbsent("properties", k -> new LinkedHashMap<>())).put(name, schema);
        return this;
    }

    /** Gives every property below this schema, with its path. Maps count as one property {@code path{}}. */
    void visit(BiConsumer<String, Map<String, Object>> visitor) {
        visit("", node, visitor);
    }

    private static void visit(
            String path, Map<String, Object> schema, BiConsumer<String, Map<String, Object>> visitor) {
        if (!path.isEmpty()) {
            visitor.accept(path, schema);
        }
        if (schema.get("items") instanceof Map<?, ?> items) {
            visit(path + "[]", (Map<String, Object>) items, visitor);
        }
        if (schema.get("additionalProperties") instanceof Map<?, ?> values) {
            visit(path + "{}", (Map<String, Object>) values, visitor);
        }
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            String prefix = path.isEmpty() ? "" : path + ".";
            new TreeMap<>((Map<String, Object>) properties)
                    .forEach((name, value) -> visit(prefix + name, (Map<String, Object>) value, visitor));
        }
    }

    private static Map<String, Object> child(Map<String, Object> schema, String keyword) {
        return (Map<String, Object>) requireNonNull(schema.get(keyword), keyword);
    }
}
