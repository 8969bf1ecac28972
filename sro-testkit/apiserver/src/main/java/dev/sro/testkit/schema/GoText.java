package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Values as the server's language prints them: {@code map[a:1 b:[x y]]}. Stateless. */
public final class GoText {
    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b";
    private static final String ESCAPES = "abfnrtv";
    private static final int DELETE = 0x7f;

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

    /** A text in quotes, as {@code %q} has it. */
    public static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            int escape = ESCAPED.indexOf(c);
            if (c == '"' || c == '\\') {
                out.append('\\').appendCodePoint(c);
            } else if (escape >= 0) {
                out.append('\\').append(ESCAPES.charAt(escape));
            } else if (c < ' ' || c == DELETE) {
                out.append(String.format(Locale.ROOT, "\\x%02x", c));
            } else if (Character.isISOControl(c) || !Character.isDefined(c)) {
                out.append(String.format(Locale.ROOT, c > Character.MAX_VALUE ? "\\U%08x" : "\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.append('"').toString();
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
