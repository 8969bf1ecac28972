package dev.sro.runtime.install;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes trees as YAML. Thread-safe. */
public final class Yaml {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Yaml() {}

    /** Documents, one after the other; empty maps and lists are left out. */
    static String of(List<Map<String, Object>> objects) {
        return objects.stream().map(Yaml::of).collect(Collectors.joining());
    }

    /** One document; empty maps and lists are left out. */
    public static String of(Map<String, Object> object) {
        return SERIALIZATION.asYaml(filled(object));
    }

    private static Map<String, Object> filled(Map<?, ?> map) {
        Map<String, Object> filled = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            Object inner = value instanceof Map<?, ?> tree
                    ? filled(tree)
                    : value instanceof List<?> items
                            ? items.stream().map(Yaml::item).toList()
                            : value;
            boolean empty = (inner instanceof Map<?, ?> tree && tree.isEmpty())
                    || (inner instanceof Collection<?> items && items.isEmpty());
            if (!empty) {
                filled.put(String.valueOf(key), inner);
            }
        });
        return filled;
    }

    private static Object item(Object item) {
        return item instanceof Map<?, ?> tree ? filled(tree) : item;
    }
}
