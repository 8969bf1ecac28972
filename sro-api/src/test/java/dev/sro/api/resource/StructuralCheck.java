package dev.sro.api.resource;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * As much of an API server's validation as the keywords in our CustomResourceDefinition need, with its words. A keyword that it does
 * not know is an error: a check that overlooks a rule would prove nothing.
 */
@SuppressWarnings("unchecked")
final class StructuralCheck {
    private static final Set<String> KNOWN = Set.of(
            "type",
            "description",
            "default",
            "properties",
            "additionalProperties",
            "items",
            "required",
            "enum",
            "pattern",
            "minLength",
            "maxLength",
            "minimum",
            "maximum",
            "anyOf",
            "x-kubernetes-int-or-string",
            "maxItems",
            "format",
            "x-kubernetes-list-type",
            "x-kubernetes-list-map-keys",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-validations");

    /** The CEL rules, by their text: a changed rule has to be written down here as well. */
    private static final Map<String, Predicate<Map<String, Object>>> RULES = Map.of(
            "!has(self.maintenance) || !has(self.drain) || !has(self.drain.enable) || !self.drain.enable",
            self -> !self.containsKey("maintenance")
                    || !Boolean.TRUE.equals(mapOf(self, "drain").get("enable")),
            "!(has(self.chart) && has(self.plugin))",
            self -> !(self.containsKey("chart") && self.containsKey("plugin")),
            "!has(self.recipe) || !(has(self.chart) || has(self.plugin))",
            self -> !self.containsKey("recipe") || !(self.containsKey("chart") || self.containsKey("plugin")));

    private final List<String> errors = new ArrayList<>();

    private StructuralCheck() {}

    /** What is wrong with the object, as {@code path: message}; empty when it is accepted. */
    static List<String> errors(Map<String, Object> schema, Map<String, Object> object) {
        StructuralCheck check = new StructuralCheck();
        check.value("", schema, object);
        return check.errors;
    }

    private void value(String path, Map<String, Object> schema, @Nullable Object value) {
        if (!KNOWN.containsAll(schema.keySet())) {
            throw new IllegalStateException(path + ": this check does not know all of " + schema.keySet());
        }
        boolean either = schema.containsKey("x-kubernetes-int-or-string");
        String type = either && (value instanceof String || value instanceof Integer)
                ? typeOf(value)
                : String.valueOf(schema.get("type"));
        if (!type.equals(typeOf(value))) {
            error(
                    path,
                    "Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
                            .formatted(typeOf(value), path, type, typeOf(value)));
        } else if (value instanceof Map<?, ?> map) {
            object(path, schema, (Map<String, Object>) map);
        } else if (value instanceof List<?> list) {
            list(path, schema, (List<Object>) list);
        } else if (value instanceof String text) {
            text(path, schema, text);
        } else if (value instanceof Number number && number.longValue() < longOf(schema, "minimum", Long.MIN_VALUE)) {
            error(
                    path,
                    "Invalid value: %s: %s in body should be greater than or equal to %s"
                            .formatted(value, path, schema.get("minimum")));
        }
    }

    private void object(String path, Map<String, Object> schema, Map<String, Object> object) {
        List<Object> required = new ArrayList<>(listOf(schema, "required"));
        if (schema.containsKey("x-kubernetes-embedded-resource")) {
            required.addAll(List.of("apiVersion", "kind"));
        }
        for (Object name : required) {
            if (!object.containsKey(name)) {
                error(below(path, name), "Required value");
            }
        }
        Map<String, Object> properties = mapOf(schema, "properties");
        object.forEach((name, child) -> {
            if (properties.containsKey(name)) {
                value(below(path, name), mapOf(properties, name), child);
            } else if (schema.containsKey("additionalProperties")) {
                value(below(path, name), mapOf(schema, "additionalProperties"), child);
            }
        });
        for (Object rule : listOf(schema, "x-kubernetes-validations")) {
            Map<String, Object> parts = (Map<String, Object>) rule;
            if (!requireNonNull(RULES.get(parts.get("rule")), parts::toString).test(object)) {
                error(path, "Invalid value: %s".formatted(parts.get("message")));
            }
        }
    }

    private void list(String path, Map<String, Object> schema, List<Object> list) {
        if (list.size() > longOf(schema, "maxItems", Long.MAX_VALUE)) {
            error(path, "Too many: %s: must have at most %s items".formatted(list.size(), schema.get("maxItems")));
        }
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            Object item = list.get(i);
            String at = path + "[" + i + "]";
            value(at, mapOf(schema, "items"), item);
            String key = identity(schema, item);
            if (key != null && !seen.add(key)) {
                error(at, "Duplicate value: %s".formatted(key));
            }
        }
    }

    private static @Nullable String identity(Map<String, Object> schema, Object item) {
        String type = String.valueOf(schema.getOrDefault("x-kubernetes-list-type", "atomic"));
        return switch (type) {
            case "set" -> "\"" + item + "\"";
            case "map" -> {
                Map<String, Object> entry = (Map<String, Object>) item;
                yield listOf(schema, "x-kubernetes-list-map-keys").stream()
                        .map(key -> "\"" + key + "\":\"" + entry.get(key) + "\"")
                        .collect(Collectors.joining(",", "{", "}"));
            }
            default -> null;
        };
    }

    private void text(String path, Map<String, Object> schema, String text) {
        List<Object> allowed = listOf(schema, "enum");
        if (!allowed.isEmpty() && !allowed.contains(text)) {
            String names = allowed.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
            error(path, "Unsupported value: \"%s\": supported values: %s".formatted(text, names));
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > longOf(schema, "maxLength", Long.MAX_VALUE)) {
            error(path, "Too long: may not be more than %s bytes".formatted(schema.get("maxLength")));
        }
        if (text.length() < longOf(schema, "minLength", 0)) {
            error(
                    path,
                    "Invalid value: \"%s\": %s in body should be at least %s chars long"
                            .formatted(text, path, schema.get("minLength")));
        } else if (schema.get("pattern") instanceof String pattern
                && !Pattern.compile(pattern).matcher(text).find()) {
            error(path, "Invalid value: \"%s\": %s in body should match '%s'".formatted(text, path, pattern));
        }
        if ("date-time".equals(schema.get("format")) && !isTime(text)) {
            error(
                    path,
                    "Invalid value: \"%s\": %s in body must be of type date-time: \"%s\"".formatted(text, path, text));
        }
    }

    private static boolean isTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static String typeOf(@Nullable Object value) {
        if (value instanceof Map) {
            return "object";
        } else if (value instanceof List) {
            return "array";
        } else if (value instanceof String) {
            return "string";
        } else if (value instanceof Boolean) {
            return "boolean";
        } else if (value instanceof Integer || value instanceof Long) {
            return "integer";
        }
        return value == null ? "null" : "number";
    }

    private static String below(String path, Object name) {
        return path.isEmpty() ? String.valueOf(name) : path + "." + name;
    }

    private static Map<String, Object> mapOf(Map<String, Object> parent, String name) {
        return (Map<String, Object>) parent.getOrDefault(name, new LinkedHashMap<>());
    }

    private static List<Object> listOf(Map<String, Object> parent, String name) {
        return (List<Object>) parent.getOrDefault(name, List.of());
    }

    private static long longOf(Map<String, Object> schema, String keyword, long otherwise) {
        return schema.get(keyword) instanceof Number number ? number.longValue() : otherwise;
    }

    private void error(String path, String message) {
        errors.add(path + ": " + message);
    }
}
