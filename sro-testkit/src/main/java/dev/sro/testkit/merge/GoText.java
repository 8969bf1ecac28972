package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Values as the server's language prints them: {@code map[a:1 b:[x y]]}. Stateless. */
final class GoText {
    private GoText() {}

    static String of(JsonNode value) {
        List<String> parts = new ArrayList<>();
        if (value.isObject()) {
            TreeMap<String, JsonNode> sorted = new TreeMap<>();
            value.properties().forEach(e -> sorted.put(e.getKey(), e.getValue()));
            sorted.forEach((name, entry) -> parts.add(name + ":" + of(entry)));
            return "map[" + String.join(" ", parts) + "]";
        }
        if (value.isArray()) {
            value.forEach(item -> parts.add(of(item)));
            return "[" + String.join(" ", parts) + "]";
        }
        return value.isNull() ? "<nil>" : value.asText();
    }
}
