package dev.sro.runtime.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Custom resources that a console offers for a start, in {@code alm-examples}. Stateless. */
final class Examples {

    private Examples() {}

    /**
     * Those of SRO and of plugins of SRO's own, and those of the user, of which one of the same kind and name replaces SRO's.
     *
     * @param plugins in the operator's image
     * @param others of the user
     */
    static List<Map<String, Object>> collect(List<String> plugins, List<Map<String, Object>> others) {
        Map<String, Map<String, Object>> all = new LinkedHashMap<>();
        List<String> known = plugins.stream()
                .filter(plugin -> Resources.has(file(plugin)))
                .sorted()
                .toList();
        boolean given = others.stream().anyMatch(example -> "SpecialResource".equals(example.get("kind")));
        List<String> names = new ArrayList<>(known.isEmpty() && !given ? List.of("chart") : known);
        names.add("preflight");
        names.add("module");
        for (String name : names) {
            Documents.parse(file(name), Resources.text(file(name))).forEach(example -> all.put(key(example), example));
        }
        others.forEach(example -> all.put(key(example), example));
        return List.copyOf(all.values());
    }

    private static String file(String name) {
        return "examples/" + name + ".yaml";
    }

    private static String key(Map<String, Object> example) {
        return example.get("kind") + " " + ValueTrees.text(example, "metadata", "name");
    }

    static String json(List<Map<String, Object>> examples) {
        try {
            return new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(examples)
                    .replace("\r\n", "\n");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
