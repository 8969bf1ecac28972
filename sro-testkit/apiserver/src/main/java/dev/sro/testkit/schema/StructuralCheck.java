package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Whether the schema of a custom resource is structural and makes sense. One use. */
final class StructuralCheck {
    private static final Set<String> TYPES = Set.of("array", "boolean", "integer", "number", "object", "string");
    private static final Set<String> METADATA_FIELDS = Set.of("name", "generateName");

    private final List<FieldError> errors = new ArrayList<>();

    private StructuralCheck() {}

    static List<FieldError> validate(ObjectNode schema, String path, boolean hasStatus) {
        StructuralCheck check = new StructuralCheck();
        check.node(schema, path, true);
        check.root(schema, path, hasStatus);
        // Expressions in a schema that is wrong itself would give errors that nobody understands.
        if (check.errors.isEmpty()) {
            CelCheck.compile(schema, path, check.errors);
            check.defaults(schema, path);
        }
        return check.errors;
    }

    /** A default must be a valid value itself. */
    private void defaults(ObjectNode schema, String path) {
        JsonNode value = schema.get("default");
        if (value != null && !value.isNull()) {
            String at = path + ".default";
            SchemaNode node = SchemaNode.read(schema);
            if (Pruning.hasUnknown(node, value)) {
                errors.add(FieldError.invalid(at, value, "must not have unknown fields"));
            } else {
                errors.addAll(new SchemaValidator(at).validate(node, value, null));
            }
        }
        children(schema, path, this::defaults);
    }

    private void root(ObjectNode schema, String path, boolean hasStatus) {
        String type = JsonTree.text(schema, "type");
        if (type.isEmpty()) {
            errors.add(FieldError.required(path + ".type", "must not be empty at the root"));
        } else if (!type.equals("object")) {
            if (hasStatus) {
                errors.add(FieldError.invalid(
                        path + ".type",
                        TextNode.valueOf(type),
                        "only \"object\" is allowed as the type at the root of the schema if the status subresource is"
                                + " enabled"));
            }
            errors.add(FieldError.invalid(path + ".type", TextNode.valueOf(type), "must be object at the root"));
        }
        metadata(schema.path("properties").path("metadata"), path + ".properties[metadata]");
    }

    private void metadata(JsonNode metadata, String path) {
        if (metadata.isMissingNode()) {
            return;
        }
        boolean onlyNames = true;
        for (Map.Entry<String, JsonNode> p : metadata.path("properties").properties()) {
            onlyNames &= METADATA_FIELDS.contains(p.getKey());
        }
        boolean plain = true;
        for (Map.Entry<String, JsonNode> e : metadata.properties()) {
            plain &= Set.of("type", "properties", "description").contains(e.getKey());
        }
        if (!onlyNames || !plain) {
            errors.add(FieldError.forbidden(
                    path,
                    "must not specify anything other than name and generateName, but metadata is implicitly"
                            + " specified"));
        }
    }

    private void node(ObjectNode schema, String path, boolean isRoot) {
        type(schema, path, isRoot);
        keywords(schema, path);
        listType(schema, path);
        embedded(schema, path);
        CelCheck.validate(schema, path, errors);
        children(schema, path, (child, below) -> node(child, below, false));
    }

    /** The schemas directly below one, each with its path as errors name it. */
    static void children(ObjectNode schema, String path, BiConsumer<ObjectNode, String> action) {
        for (Map.Entry<String, JsonNode> p : schema.path("properties").properties()) {
            if (p.getValue() instanceof ObjectNode child) {
                action.accept(child, path + ".properties[" + p.getKey() + "]");
            }
        }
        if (schema.get("additionalProperties") instanceof ObjectNode child) {
            action.accept(child, path + ".additionalProperties");
        }
        if (schema.get("items") instanceof ObjectNode child) {
            action.accept(child, path + ".items");
        }
    }

    private void type(ObjectNode schema, String path, boolean isRoot) {
        String type = JsonTree.text(schema, "type");
        boolean intOrString = flag(schema, "x-kubernetes-int-or-string");
        boolean preserves = flag(schema, "x-kubernetes-preserve-unknown-fields");
        if (type.isEmpty()) {
            if (!isRoot && !intOrString && !preserves) {
                String what = path.endsWith(".items") ? "array items" : "object fields";
                errors.add(FieldError.required(path + ".type", "must not be empty for specified " + what));
            }
        } else if (!TYPES.contains(type)) {
            errors.add(FieldError.notSupported(
                    path + ".type",
                    TextNode.valueOf(type),
                    TYPES.stream().sorted().map(t -> "\"" + t + "\"").toList()));
        }
        if (type.equals("array") && !schema.has("items")) {
            errors.add(FieldError.required(path + ".items", "must be specified"));
        }
    }

    private static boolean flag(JsonNode schema, String name) {
        return schema.path(name).asBoolean();
    }

    private void keywords(ObjectNode schema, String path) {
        if (flag(schema, "uniqueItems")) {
            errors.add(FieldError.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
        }
        JsonNode additional = schema.get("additionalProperties");
        if (additional != null && schema.path("properties").size() > 0) {
            errors.add(FieldError.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive"));
        } else if (additional != null && additional.isBoolean() && !additional.booleanValue()) {
            errors.add(FieldError.forbidden(
                    path + ".additionalProperties", "additionalProperties cannot be set to false"));
        }
        for (String forbidden :
                new String[] {"$ref", "definitions", "dependencies", "patternProperties", "additionalItems"}) {
            if (schema.has(forbidden)) {
                errors.add(FieldError.forbidden(path + "." + forbidden, forbidden + " is not supported"));
            }
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

    private void listType(ObjectNode schema, String path) {
        String listType = JsonTree.text(schema, "x-kubernetes-list-type");
        boolean array = JsonTree.text(schema, "type").equals("array");
        if (!listType.isEmpty() && !array) {
            errors.add(FieldError.invalid(
                    path + ".type", schema.path("type"), "must be array if x-kubernetes-list-type is specified"));
        }
        if (!Set.of("", "atomic", "set", "map").contains(listType)) {
            errors.add(FieldError.notSupported(
                    path + ".x-kubernetes-list-type",
                    TextNode.valueOf(listType),
                    List.of("\"atomic\"", "\"map\"", "\"set\"")));
        }
        JsonNode keys = schema.path("x-kubernetes-list-map-keys");
        if (listType.equals("map") && keys.isEmpty()) {
            errors.add(FieldError.required(
                    path + ".x-kubernetes-list-map-keys", "must not be empty if x-kubernetes-list-type is map"));
        } else if (!listType.equals("map") && !keys.isEmpty()) {
            errors.add(FieldError.invalid(
                    path + ".x-kubernetes-list-type",
                    listType.isEmpty() ? NullNode.getInstance() : TextNode.valueOf(listType),
                    "must be map if x-kubernetes-list-map-keys is non-empty"));
        }
        JsonNode items = schema.path("items");
        if (listType.equals("map")) {
            mapKeys(items, keys, path);
        } else if (listType.equals("set")) {
            setItems(items, path);
        }
    }

    private void mapKeys(JsonNode items, JsonNode keys, String path) {
        for (JsonNode k : keys) {
            String key = k.asText();
            JsonNode property = items.path("properties").path(key);
            String at = path + ".items.properties[" + key + "]";
            if (property.isMissingNode()) {
                errors.add(FieldError.invalid(
                        path + ".x-kubernetes-list-map-keys[" + key + "]",
                        k,
                        "must exist in the schema of the items: properties"));
                continue;
            }
            boolean required = false;
            for (JsonNode r : items.path("required")) {
                required |= r.asText().equals(key);
            }
            if (!required && !property.has("default")) {
                errors.add(FieldError.required(
                        at + ".default",
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                + " property"));
            }
            if (property.path("nullable").asBoolean()) {
                errors.add(FieldError.forbidden(
                        at + ".nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
            }
        }
    }

    private void setItems(JsonNode items, String path) {
        String type = JsonTree.text(items, "type");
        if (type.equals("object")) {
            atomicItem(items, path, "x-kubernetes-map-type");
        } else if (type.equals("array")) {
            atomicItem(items, path, "x-kubernetes-list-type");
        }
        if (flag(items, "nullable")) {
            errors.add(FieldError.forbidden(
                    path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is set"));
        }
    }

    private void atomicItem(JsonNode items, String path, String field) {
        if (!JsonTree.text(items, field).equals("atomic")) {
            errors.add(FieldError.invalid(
                    path + ".items." + field,
                    items.has(field) ? items.get(field) : NullNode.getInstance(),
                    "must be atomic as item of a list with x-kubernetes-list-type=set"));
        }
    }

    private void embedded(ObjectNode schema, String path) {
        if (!flag(schema, "x-kubernetes-embedded-resource")) {
            return;
        }
        if (!JsonTree.text(schema, "type").equals("object")) {
            errors.add(FieldError.invalid(
                    path + ".type", schema.path("type"), "must be object if x-kubernetes-embedded-resource is true"));
        }
        boolean bare = schema.path("properties").isEmpty() && !schema.has("additionalProperties");
        if (bare && !flag(schema, "x-kubernetes-preserve-unknown-fields")) {
            errors.add(FieldError.required(
                    path + ".properties",
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields"));
        }
    }
}
