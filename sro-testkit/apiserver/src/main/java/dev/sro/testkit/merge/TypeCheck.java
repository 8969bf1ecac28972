package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.schema.GoText;
import dev.sro.testkit.schema.TypeSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Checks that an applied configuration fits its type, with the texts of the server's typed objects. */
final class TypeCheck {
    private final List<String> errors = new ArrayList<>();

    private TypeCheck() {}

    /** What does not fit; empty if all does. */
    static List<String> errors(TypeSchema type, JsonNode config) {
        TypeCheck check = new TypeCheck();
        check.check(type, config, "");
        return check.errors;
    }

    private void check(TypeSchema declared, JsonNode value, String path) {
        if (value.isNull()) {
            return;
        }
        TypeSchema type = declared.forValue(value);
        switch (type.shape()) {
            case MAP -> checkMap(type, value, path);
            case LIST -> checkList(type, value, path);
            case STRING -> {
                if (!value.isTextual()) {
                    errors.add(path + ": expected string, got &value.valueUnstructured{Value:" + literal(value) + "}");
                }
            }
            case NUMBER -> {
                if (!value.isNumber()) {
                    errors.add(path + ": expected numeric (int or float), got " + GoText.type(value));
                }
            }
            case BOOLEAN -> expect(value.isBoolean(), "boolean", value, path);
            default -> expect(value.isValueNode(), "any scalar", value, path);
        }
    }

    private void expect(boolean fits, String what, JsonNode value, String path) {
        if (!fits) {
            errors.add(path + ": expected " + what + ", got &{" + go(value) + "}");
        }
    }

    private void checkMap(TypeSchema type, JsonNode value, String path) {
        if (!value.isObject()) {
            errors.add(path + ": expected map, got &{" + go(value) + "}");
            return;
        }
        for (Map.Entry<String, JsonNode> e : value.properties()) {
            TypeSchema entry = type.entry(e.getKey());
            String entryPath = path + "." + e.getKey();
            if (entry == null) {
                errors.add(entryPath + ": field not declared in schema");
            } else {
                check(entry, e.getValue(), entryPath);
            }
        }
    }

    private void checkList(TypeSchema type, JsonNode value, String path) {
        if (!value.isArray()) {
            errors.add(path + ": expected list, got &{" + go(value) + "}");
            return;
        }
        TypeSchema element = Comparison.elementOf(type);
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode item : value) {
            String name = type.atomic() ? null : PathElements.item(type, item);
            if (!type.atomic() && name == null) {
                // Where one cannot be named, the server does not look at any other.
                errors.add(path + ": element " + index + ": " + PathElements.complaint(type, item));
                return;
            } else if (name != null && !seen.add(name)) {
                errors.add(path + ": duplicate entries for key " + PathElements.display(name));
            }
            check(element, item, path + (name == null ? "[" + index + "]" : PathElements.display(name)));
            index++;
        }
    }

    private static String literal(JsonNode value) {
        if (value.isObject()) {
            TreeMap<String, String> fields = new TreeMap<>();
            value.properties().forEach(e -> fields.put(e.getKey(), literal(e.getValue())));
            List<String> pairs = new ArrayList<>();
            fields.forEach((name, text) -> pairs.add('"' + name + "\":" + text));
            return "map[string]interface {}{" + String.join(", ", pairs) + "}";
        }
        if (value.isArray()) {
            List<String> items = new ArrayList<>();
            value.forEach(item -> items.add(literal(item)));
            return "[]interface {}{" + String.join(", ", items) + "}";
        }
        return value.isTextual() ? value.toString() : value.asText();
    }

    private static String go(JsonNode value) {
        return GoText.write(value);
    }
}
