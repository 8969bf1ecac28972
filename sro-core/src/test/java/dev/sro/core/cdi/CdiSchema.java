package dev.sro.core.cdi;

import dev.sro.core.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The schema of the Container Device Interface, with as much of draft-07 as it uses: type, properties, patternProperties, required,
 * items, minimum, maximum, $ref. Any other keyword is an error of the test.
 */
final class CdiSchema {

    private static final List<String> KNOWN = List.of(
            "$schema",
            "description",
            "definitions",
            "type",
            "properties",
            "patternProperties",
            "required",
            "items",
            "minimum",
            "maximum",
            "$ref",
            // A misspelt $ref in the definitions of the project.
            "ref");

    private final Map<String, Object> schema;
    private final Map<String, Object> definitions;
    private final List<String> errors = new ArrayList<>();

    private CdiSchema(Map<String, Object> schema, Map<String, Object> definitions) {
        this.schema = schema;
        this.definitions = definitions;
    }

    /** Where {@code sro.corpus} or SRO_CORPUS say, or in the shared folder beside the checkout. */
    static Optional<Path> directory() {
        String given = System.getProperty("sro.corpus", System.getenv("SRO_CORPUS"));
        List<Path> places = new ArrayList<>();
        if (given != null && !given.isEmpty()) {
            places.add(Path.of(given));
        } else {
            for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
                if (at.resolve(".git").toFile().exists()) {
                    places.add(at.resolveSibling("shared").resolve("corpus"));
                }
            }
        }
        return places.stream()
                .map(place -> place.resolve("crds"))
                .filter(crds -> Files.exists(crds.resolve("cdi_schema.json")))
                .findFirst();
    }

    static CdiSchema read() throws IOException {
        Path directory = directory().orElseThrow();
        return new CdiSchema(
                document(directory.resolve("cdi_schema.json")),
                map(document(directory.resolve("cdi_defs.json")), "definitions"));
    }

    private static Map<String, Object> document(Path file) throws IOException {
        return Yaml.documents(file.toString(), Files.readString(file)).get(0);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> tree, String key) {
        return tree.get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    List<String> errors(Map<String, Object> document) {
        errors.clear();
        check("", document, schema);
        return List.copyOf(errors);
    }

    @SuppressWarnings("unchecked")
    private void check(String path, @Nullable Object value, Map<String, Object> rule) {
        for (String keyword : rule.keySet()) {
            if (!KNOWN.contains(keyword)) {
                throw new AssertionError("the schema has the keyword " + keyword + " now; teach it to this test");
            }
        }
        if (rule.get("$ref") instanceof String reference) {
            String name = reference.substring(reference.lastIndexOf('/') + 1);
            if (!definitions.containsKey(name)) {
                throw new AssertionError("the schema has no definition " + name);
            }
            check(path, value, map(definitions, name));
            return;
        }
        if (rule.get("type") instanceof String type && !isOf(type, value)) {
            errors.add(path + ": is no " + type);
            return;
        }
        if (value instanceof Map<?, ?> map) {
            object(path, (Map<String, Object>) map, rule);
        }
        if (value instanceof List<?> list && rule.get("items") instanceof Map<?, ?> items) {
            for (int i = 0; i < list.size(); i++) {
                check(path + "[" + i + "]", list.get(i), (Map<String, Object>) items);
            }
        }
        if (value instanceof Number number) {
            if (rule.get("minimum") instanceof Number least && number.longValue() < least.longValue()) {
                errors.add(path + ": " + number + " is below " + least);
            }
            if (rule.get("maximum") instanceof Number most && number.longValue() > most.longValue()) {
                errors.add(path + ": " + number + " is above " + most);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void object(String path, Map<String, Object> map, Map<String, Object> rule) {
        if (rule.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(key -> !map.containsKey(String.valueOf(key)))
                    .forEach(key -> errors.add(path + ": " + key + " is missing"));
        }
        Map<String, Object> properties = map(rule, "properties");
        map.forEach((key, value) -> {
            if (properties.get(key) instanceof Map<?, ?> inner) {
                check(path + "." + key, value, (Map<String, Object>) inner);
            }
            map(rule, "patternProperties").forEach((pattern, inner) -> {
                if (java.util.regex.Pattern.compile(pattern).matcher(key).find() && inner instanceof Map<?, ?> typed) {
                    check(path + "." + key, value, (Map<String, Object>) typed);
                }
            });
        });
    }

    private static boolean isOf(String type, @Nullable Object value) {
        return switch (type) {
            case "string" -> value instanceof String;
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "integer" -> value instanceof Integer || value instanceof Long;
            case "boolean" -> value instanceof Boolean;
            default -> throw new AssertionError("the schema has the type " + type + " now; teach it to this test");
        };
    }
}
