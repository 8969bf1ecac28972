package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Values as the server's language prints them: {@code map[a:1 b:[x y]]}. Stateless. */
public final class GoText {
    private GoText() {}

    /** A value. */
    public static String write(JsonNode value) {
        List<String> parts = new ArrayList<>();
        if (value.isObject()) {
            TreeMap<String, JsonNode> sorted = new TreeMap<>();
            value.properties().forEach(e -> sorted.put(e.getKey(), e.getValue()));
            sorted.forEach((name, entry) -> parts.add(name + ":" + write(entry)));
            return "map[" + String.join(" ", parts) + "]";
        }
        if (value.isArray()) {
            value.forEach(item -> parts.add(write(item)));
            return "[" + String.join(" ", parts) + "]";
        }
        return value.isNull() ? "<nil>" : value.asText();
    }

    /** The type of a value that was read without one. */
    public static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
            case OBJECT -> "map[string]interface {}";
            case ARRAY -> "[]interface {}";
            default -> "<nil>";
        };
    }
}
