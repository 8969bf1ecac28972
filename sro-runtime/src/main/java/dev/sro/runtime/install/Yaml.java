package dev.sro.runtime.install;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes trees as YAML. Empty maps and lists are left out, but for the selectors of network policies, where nothing said selects everything. Thread-safe. */
public final class Yaml {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static final Set<String> OF_EVERYTHING = Set.of("namespaceSelector", "podSelector");

    private Yaml() {}

    /** Documents, one after the other. */
    public static String write(List<Map<String, Object>> objects) {
        return objects.stream().map(Yaml::write).collect(Collectors.joining());
    }

    /** One document. */
    public static String write(Map<String, Object> object) {
        return SERIALIZATION.asYaml(filled(object));
    }

    /** One document that is a list. */
    static String list(List<Map<String, Object>> items) {
        return SERIALIZATION.asYaml(items.stream().map(Yaml::filled).toList());
    }

    /** Objects without what is empty. */
    public static List<Map<String, Object>> filled(List<Map<String, Object>> objects) {
        return objects.stream().map(Yaml::filled).toList();
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
            String name = String.valueOf(key);
            if (!empty || OF_EVERYTHING.contains(name)) {
                filled.put(name, inner);
            }
        });
        return filled;
    }

    private static Object item(Object item) {
        return item instanceof Map<?, ?> tree ? filled(tree) : item;
    }
}
