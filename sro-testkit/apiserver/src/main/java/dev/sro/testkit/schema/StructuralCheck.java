package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether a schema is structural: the type of each value is said once, outside of {@code allOf}, {@code anyOf}, {@code oneOf} and {@code
 * not}, and these speak of nothing else. One use.
 */
final class StructuralCheck {
    static final List<String> JUNCTORS = List.of("allOf", "anyOf", "oneOf");
    private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
    private static final String EMBEDDED = "x-kubernetes-embedded-resource";
    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";
    private static final String ADDITIONAL = "additionalProperties";
    private static final Set<String> NAMES = Set.of("name", "generateName");

    /** What no structural schema may have, in the server's order. */
    private static final List<String> UNSUPPORTED =
            List.of("id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions");

    /** What may not be said within a junctor, and how that is put. */
    private static final List<String[]> OUTSIDE_ONLY = List.of(
            new String[] {"type", "empty"},
            new String[] {ADDITIONAL, "undefined"},
            new String[] {"default", "undefined"},
            new String[] {"title", "empty"},
            new String[] {"description", "empty"},
            new String[] {"nullable", "false"},
            new String[] {PRESERVE, "false"},
            new String[] {EMBEDDED, "false"},
            new String[] {INT_OR_STRING, "false"},
            new String[] {"x-kubernetes-list-map-keys", "empty"},
            new String[] {"x-kubernetes-list-type", "undefined"},
            new String[] {"x-kubernetes-map-type", "undefined"},
            new String[] {"x-kubernetes-validations", "empty"});

    private enum Level {
        ROOT("at the root"),
        ITEM("for specified array items"),
        FIELD("for specified object fields");

        private final String where;

        Level(String where) {
            this.where = where;
        }
    }

    private final List<FieldError> errors = new ArrayList<>();

    private StructuralCheck() {}

    /** What makes it another kind of schema altogether, if anything does. */
    static Optional<String> unsupported(JsonNode schema) {
        for (String word : UNSUPPORTED) {
            JsonNode said = schema.path(word);
            if (!said.isEmpty() || !said.asText().isEmpty()) {
                return Optional.of("OpenAPIV3Schema '" + word.replace("$schema", "schema") + "' is not supported");
            }
        }
        if (schema.has(PRESERVE) && !schema.path(PRESERVE).asBoolean()) {
            return Optional.of("internal error: '" + PRESERVE + "' must be true or undefined");
        }
        if (schema.path("items").isArray()) {
            return Optional.of("OpenAPIV3Schema 'items' must be a schema, but is an array");
        }
        Stream<JsonNode> below = Stream.of(
                        schema.path("properties").properties().stream().map(Map.Entry::getValue),
                        Stream.of(schema.path("items"), schema.path(ADDITIONAL), schema.path("not")),
                        JUNCTORS.stream().flatMap(word -> JsonTree.objects(schema, word).stream()))
                .flatMap(part -> part);
        return below.filter(JsonNode::isObject)
                .map(StructuralCheck::unsupported)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** In the order of their texts, as the server has them. */
    static List<FieldError> validate(ObjectNode schema, String path) {
        StructuralCheck check = new StructuralCheck();
        check.node(schema, Level.ROOT, path);
        check.junctorsComplete(schema, schema, path, path);
        check.errors.sort(Comparator.comparing(FieldError::toString));
        return check.errors;
    }

    private static boolean flag(JsonNode schema, String name) {
        return schema.path(name).asBoolean();
    }

    private void node(ObjectNode schema, Level level, String path) {
        String type = JsonTree.text(schema, "type");
        if (type.equals("array") && !schema.has("items")) {
            errors.add(FieldError.required(path + ".items", "must be specified"));
        }
        if (schema.get("items") instanceof ObjectNode items) {
            node(items, Level.ITEM, path + ".items");
        }
        for (Map.Entry<String, JsonNode> p : schema.path("properties").properties()) {
            if (p.getValue() instanceof ObjectNode property) {
                node(property, Level.FIELD, path + ".properties[" + p.getKey() + "]");
            }
        }
        if (schema.has(ADDITIONAL)) {
            if (level == Level.ROOT) {
                errors.add(FieldError.forbidden(path + "." + ADDITIONAL, "must not be used at the root"));
            }
            if (schema.get(ADDITIONAL) instanceof ObjectNode additional) {
                node(additional, Level.FIELD, path + "." + ADDITIONAL);
            }
        }
        extensions(schema, path);
        boolean anyOf = isIntOrString(schema.path("anyOf"));
        junctors(schema, anyOf, isIntOrString(schema.path("allOf").path(0).path("anyOf")), path);
        type(schema, type, level, path);
        resource(schema, level, path);
    }

    private void extensions(ObjectNode schema, String path) {
        for (String other : List.of(PRESERVE, EMBEDDED)) {
            if (flag(schema, INT_OR_STRING) && flag(schema, other)) {
                errors.add(FieldError.invalid(
                        path + "." + other, BooleanNode.TRUE, "must be false if " + INT_OR_STRING + " is true"));
            }
        }
    }

    private void type(ObjectNode schema, String type, Level level, String path) {
        boolean embedded = flag(schema, EMBEDDED);
        if (embedded && !type.equals("object")) {
            String detail = "must be object if " + EMBEDDED + " is true";
            errors.add(
                    type.isEmpty()
                            ? FieldError.required(path + ".type", detail)
                            : FieldError.invalid(path + ".type", TextNode.valueOf(type), detail));
        } else if (type.isEmpty() && !flag(schema, INT_OR_STRING) && !flag(schema, PRESERVE)) {
            errors.add(FieldError.required(path + ".type", "must not be empty " + level.where));
        }
        if (embedded && schema.has(ADDITIONAL)) {
            errors.add(FieldError.forbidden(path + "." + ADDITIONAL, "must not be used if " + EMBEDDED + " is set"));
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            errors.add(FieldError.invalid(path + ".type", TextNode.valueOf(type), "must be object at the root"));
        }
        if (embedded && !flag(schema, PRESERVE) && schema.path("properties").isEmpty()) {
            errors.add(FieldError.required(
                    path + ".properties", "must not be empty if " + EMBEDDED + " is true without " + PRESERVE));
        }
    }

    /** Of what every object has, a schema may say next to nothing. */
    private void resource(ObjectNode schema, Level level, String path) {
        boolean isResource = level == Level.ROOT || flag(schema, EMBEDDED);
        for (String field : isResource ? List.of("kind", "apiVersion", "metadata") : List.<String>of()) {
            JsonNode property = schema.path("properties").path(field);
            String wanted = field.equals("metadata") ? "object" : "string";
            if (property.isObject() && !JsonTree.text(property, "type").equals(wanted)) {
                errors.add(FieldError.invalid(
                        path + ".properties[" + field + "].type",
                        TextNode.valueOf(JsonTree.text(property, "type")),
                        "must be " + wanted));
            }
        }
        JsonNode metadata = schema.path("properties").path("metadata");
        if (level != Level.ROOT || !metadata.isObject()) {
            return;
        }
        boolean onlyNames = true;
        for (Map.Entry<String, JsonNode> p : metadata.path("properties").properties()) {
            onlyNames &= NAMES.contains(p.getKey());
        }
        for (Map.Entry<String, JsonNode> e : metadata.properties()) {
            onlyNames &= Set.of("type", "properties", "default").contains(e.getKey());
        }
        if (!onlyNames) {
            errors.add(FieldError.forbidden(
                    path + ".properties[metadata]",
                    "must not specify anything other than name and generateName, but metadata is implicitly"
                            + " specified"));
        }
    }

    /** The one thing about types that may be said in a junctor: integer or string. */
    private static boolean isIntOrString(JsonNode anyOf) {
        return anyOf.size() == 2
                && anyOf.get(0).size() == 1
                && anyOf.get(0).path("type").asText().equals("integer")
                && anyOf.get(1).size() == 1
                && anyOf.get(1).path("type").asText().equals("string");
    }

    private void junctors(JsonNode schema, boolean skipAnyOf, boolean skipFirst, String path) {
        for (String word : JUNCTORS) {
            List<ObjectNode> parts = word.equals("anyOf") && skipAnyOf ? List.of() : JsonTree.objects(schema, word);
            for (int i = 0; i < parts.size(); i++) {
                boolean skip = word.equals("allOf") && i == 0 && skipFirst;
                nested(parts.get(i), skip, path + "." + word + "[" + i + "]");
            }
        }
        if (schema.get("not") instanceof ObjectNode not) {
            nested(not, false, path + ".not");
        }
        String pattern = JsonTree.text(schema, "pattern");
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            errors.add(FieldError.invalid(
                    path + ".pattern",
                    TextNode.valueOf(pattern),
                    "must be a valid regular expression, but isn't: " + e.getMessage()));
        }
    }

    private void nested(ObjectNode schema, boolean skipAnyOf, String path) {
        junctors(schema, skipAnyOf, false, path);
        if (schema.get("items") instanceof ObjectNode items) {
            nested(items, false, path + ".items");
        }
        for (Map.Entry<String, JsonNode> p : schema.path("properties").properties()) {
            if (p.getValue() instanceof ObjectNode property) {
                nested(property, false, path + ".properties[" + p.getKey() + "]");
            }
        }
        for (String[] word : OUTSIDE_ONLY) {
            JsonNode value = schema.path(word[0]);
            boolean said = value.isBoolean()
                    ? value.booleanValue() || word[0].equals("default")
                    : !value.isNull()
                            && (value.isObject()
                                    || !value.isEmpty()
                                    || !value.asText().isEmpty());
            if (said) {
                errors.add(FieldError.forbidden(path + "." + word[0], "must be " + word[1] + " to be structural"));
            }
        }
        if (schema.path("properties").has("metadata")) {
            errors.add(
                    FieldError.forbidden(path + ".properties[metadata]", "must not be specified in a nested context"));
        }
    }

    /** Junctors may speak of no value that is not specified outside of them, too. */
    private void junctorsComplete(JsonNode junctor, JsonNode schema, String at, String path) {
        if (junctor.get("not") instanceof ObjectNode not) {
            complete(not, schema, at, path + ".not");
        }
        for (String word : JUNCTORS) {
            List<ObjectNode> parts = JsonTree.objects(junctor, word);
            for (int i = 0; i < parts.size(); i++) {
                complete(parts.get(i), schema, at, path + "." + word + "[" + i + "]");
            }
        }
    }

    private void complete(JsonNode part, JsonNode schema, String at, String path) {
        if (!schema.isObject()) {
            errors.add(FieldError.required(at, "because it is defined in " + path));
            return;
        }
        junctorsComplete(part, schema, at, path);
        if (part.get("items") instanceof ObjectNode items) {
            complete(items, schema.path("items"), at + ".items", path + ".items");
        }
        for (Map.Entry<String, JsonNode> p : part.path("properties").properties()) {
            String below = ".properties[" + p.getKey() + "]";
            complete(p.getValue(), schema.path("properties").path(p.getKey()), at + below, path + below);
        }
    }
}
