package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether each word of a schema makes sense where it stands, and each rule can be read and paid. One use. */
final class SchemaCheck {
    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final Set<String> OF_RESOURCES = Set.of("metadata", "kind", "apiVersion");
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String LIST_KEYS = "x-kubernetes-list-map-keys";
    private static final String MAP_TYPE = "x-kubernetes-map-type";

    /**
     * What holds for a schema because of those that it stands in.
     *
     * @param noDefaults why there may be no default; empty where there may be one
     * @param inResource within what every object has
     * @param uncorrelated path of the first schema whose old and new values nobody can tell apart; empty if there is none
     */
    private record Scope(String noDefaults, boolean inResource, String uncorrelated) {
        Scope withoutDefaults(String reason) {
            return new Scope(reason, inResource, uncorrelated);
        }

        Scope uncorrelatedAt(String path) {
            return uncorrelated.isEmpty() ? new Scope(noDefaults, inResource, path) : this;
        }
    }

    private final List<FieldError> faults = new ArrayList<>();
    private final RuleCheck rules;

    private SchemaCheck(RuleCheck rules) {
        this.rules = rules;
    }

    /** @param withRules whether rules are looked into: not in a schema that is no structural one */
    static List<FieldError> validate(ObjectNode schema, String path, boolean withRules) {
        RuleCheck rules = new RuleCheck();
        SchemaCheck check = new SchemaCheck(rules);
        check.node(schema, path, new Scope("", false, ""), true, withRules ? RuleCheck.Count.ONE : null);
        List<FieldError> all = new ArrayList<>(check.faults);
        all.addAll(rules.errors());
        if (withRules) {
            all.addAll(rules.total(path));
        }
        return all;
    }

    private static boolean flag(JsonNode schema, String name) {
        return schema.path(name).asBoolean();
    }

    /** @param count how many values of the schema there can be; null where rules are not looked into */
    private void node(ObjectNode schema, String path, Scope scope, boolean root, RuleCheck.@Nullable Count count) {
        int before = faults.size();
        words(schema, path, scope);
        additional(schema, path, scope, count);
        for (Map.Entry<String, JsonNode> p : schema.path("properties").properties()) {
            if (p.getValue() instanceof ObjectNode property) {
                Scope below = property(schema, p.getKey(), path, scope, root);
                RuleCheck.Count times = count == null ? null : count.below(schema);
                node(property, path + ".properties[" + p.getKey() + "]", below, false, times);
            }
        }
        junctors(schema, path, scope);
        if (schema.get("items") instanceof ObjectNode items) {
            Scope below = schema.path(LIST_TYPE).asText().equals("map") ? scope : scope.uncorrelatedAt(path);
            node(items, path + ".items", below, false, count == null ? null : count.below(schema));
        }
        if (schema.has("x-kubernetes-preserve-unknown-fields")
                && !flag(schema, "x-kubernetes-preserve-unknown-fields")) {
            faults.add(FieldError.invalid(
                    path + ".x-kubernetes-preserve-unknown-fields", BooleanNode.FALSE, "must be true or undefined"));
        }
        mapType(schema, path);
        listType(schema, path);
        listKeys(schema, path);
        notNull(schema, path);
        CelCheck.validate(schema, path, faults);
        if (faults.size() == before && count != null) {
            rules.compile(schema, path, root, scope.uncorrelated(), count);
        }
    }

    private void words(ObjectNode schema, String path, Scope scope) {
        String type = JsonTree.text(schema, "type");
        if (!type.isEmpty() && !TYPES.contains(type)) {
            errorType(path, type);
        }
        if (schema.hasNonNull("default") && !scope.noDefaults().isEmpty()) {
            faults.add(FieldError.forbidden(path + ".default", "must not be set " + scope.noDefaults()));
        }
        for (String word :
                List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref")) {
            boolean map = word.equals("patternProperties") || word.equals("definitions");
            if (schema.has(word) && !(map && schema.path(word).isEmpty())) {
                faults.add(FieldError.forbidden(path + "." + word, word + " is not supported"));
            }
        }
        if (type.equals("null")) {
            faults.add(
                    FieldError.forbidden(path + ".type", "type cannot be set to null, use nullable as an alternative"));
        }
        if (schema.path("items").isArray() && !schema.path("items").isEmpty()) {
            faults.add(FieldError.forbidden(path + ".items", "items must be a schema object and not an array"));
        }
        if (scope.inResource() && flag(schema, "x-kubernetes-embedded-resource")) {
            faults.add(FieldError.forbidden(
                    path + ".x-kubernetes-embedded-resource", "must not be used inside of resource meta"));
        }
        if (flag(schema, "uniqueItems")) {
            faults.add(FieldError.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
        }
    }

    private void errorType(String path, String type) {
        List<String> names = TYPES.stream().map(name -> "\"" + name + "\"").toList();
        faults.add(FieldError.notSupported(path + ".type", TextNode.valueOf(type), names));
    }

    private void additional(ObjectNode schema, String path, Scope scope, RuleCheck.@Nullable Count count) {
        JsonNode additional = schema.get("additionalProperties");
        if (additional == null) {
            return;
        }
        if (!schema.path("properties").isEmpty() && !(additional.isBoolean() && additional.booleanValue())) {
            faults.add(FieldError.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive"));
        }
        if (additional instanceof ObjectNode object) {
            Scope below = scope.inResource()
                    ? scope.withoutDefaults("inside additionalProperties applying to object metadata")
                    : scope;
            RuleCheck.Count times = count == null ? null : count.below(schema);
            node(object, path + ".additionalProperties", below, false, times);
        }
    }

    private static Scope property(ObjectNode schema, String name, String path, Scope scope, boolean root) {
        String mapType = schema.path(MAP_TYPE).asText();
        Scope below = Set.of("", "granular", "atomic").contains(mapType) ? scope : scope.uncorrelatedAt(path);
        if ((root || flag(schema, "x-kubernetes-embedded-resource")) && OF_RESOURCES.contains(name)) {
            below = new Scope(root ? "in top-level " + name : below.noDefaults(), true, below.uncorrelated());
        }
        return below;
    }

    private void junctors(ObjectNode schema, String path, Scope scope) {
        if (schema.get("not") instanceof ObjectNode not) {
            node(not, path + ".not", scope, false, null);
        }
        for (String word : List.of("allOf", "oneOf", "anyOf")) {
            List<ObjectNode> parts = JsonTree.objects(schema, word);
            for (int i = 0; i < parts.size(); i++) {
                node(parts.get(i), path + "." + word + "[" + i + "]", scope, false, null);
            }
        }
    }

    /** What a word asks of the type. */
    private void typed(ObjectNode schema, String path, String word, String wanted) {
        String type = JsonTree.text(schema, "type");
        if (schema.has(word) && !type.equals(wanted)) {
            String detail = "must be " + wanted + " if " + word + " is specified";
            faults.add(
                    type.isEmpty()
                            ? FieldError.required(path + ".type", detail)
                            : FieldError.invalid(path + ".type", TextNode.valueOf(type), detail));
        }
    }

    private void mapType(ObjectNode schema, String path) {
        typed(schema, path, MAP_TYPE, "object");
        if (schema.has(MAP_TYPE)
                && !Set.of("atomic", "granular").contains(schema.path(MAP_TYPE).asText())) {
            faults.add(FieldError.notSupported(
                    path + "." + MAP_TYPE, schema.path(MAP_TYPE), List.of("\"atomic\"", "\"granular\"")));
        }
    }

    private void listType(ObjectNode schema, String path) {
        typed(schema, path, LIST_TYPE, "array");
        String listType = schema.path(LIST_TYPE).asText();
        if (JsonTree.text(schema, "type").equals("array") && listType.equals("set")) {
            JsonNode items = schema.path("items");
            String itemType = JsonTree.text(items, "type");
            String detail = "must be atomic as item of a list with " + LIST_TYPE + "=set";
            JsonNode shown = items.has(LIST_TYPE) ? items.path(LIST_TYPE) : NullNode.getInstance();
            if (itemType.equals("array")
                    && items.has(LIST_TYPE)
                    && !shown.asText().equals("atomic")) {
                faults.add(FieldError.invalid(path + ".items." + LIST_TYPE, shown, detail));
            } else if (itemType.equals("object")
                    && !items.path(MAP_TYPE).asText().equals("atomic")) {
                // The server, too, shows the type of the list.
                faults.add(FieldError.invalid(path + ".items." + MAP_TYPE, shown, detail));
            }
        }
        if (schema.has(LIST_TYPE) && !Set.of("atomic", "set", "map").contains(listType)) {
            faults.add(FieldError.notSupported(
                    path + "." + LIST_TYPE, schema.path(LIST_TYPE), List.of("\"atomic\"", "\"set\"", "\"map\"")));
        }
    }

    private void listKeys(ObjectNode schema, String path) {
        JsonNode keys = schema.path(LIST_KEYS);
        boolean map = schema.path(LIST_TYPE).asText().equals("map");
        if (!keys.isEmpty() && !map) {
            String detail = "must be map if " + LIST_KEYS + " is non-empty";
            faults.add(
                    schema.has(LIST_TYPE)
                            ? FieldError.invalid(path + "." + LIST_TYPE, schema.path(LIST_TYPE), detail)
                            : FieldError.required(path + "." + LIST_TYPE, detail));
        }
        if (!map) {
            return;
        }
        if (keys.isEmpty()) {
            faults.add(FieldError.required(path + "." + LIST_KEYS, "must not be empty if " + LIST_TYPE + " is map"));
        }
        JsonNode items = schema.path("items");
        if (items.isMissingNode()) {
            faults.add(FieldError.required(path + ".items", "must have a schema if " + LIST_TYPE + " is map"));
        } else if (!JsonTree.text(items, "type").equals("object")) {
            faults.add(FieldError.invalid(
                    path + ".items.type",
                    TextNode.valueOf(JsonTree.text(items, "type")),
                    "must be object if parent array's " + LIST_TYPE + " is map"));
        } else {
            keysOf(items, keys, path);
        }
    }

    private void keysOf(JsonNode items, JsonNode keys, String path) {
        Set<String> seen = new HashSet<>();
        for (JsonNode k : keys) {
            JsonNode property = items.path("properties").path(k.asText());
            if (property.isMissingNode()) {
                faults.add(FieldError.invalid(
                        path + "." + LIST_KEYS, keys, "entries must all be names of item properties"));
            } else if (Set.of("array", "object").contains(JsonTree.text(property, "type"))) {
                faults.add(FieldError.invalid(
                        path + ".items.properties[" + k.asText() + "].type",
                        TextNode.valueOf("object"),
                        "must be a scalar type if parent array's " + LIST_TYPE + " is map"));
            }
            if (!seen.add(k.asText())) {
                faults.add(FieldError.invalid(path + "." + LIST_KEYS, keys, "must not contain duplicate entries"));
            }
        }
    }

    /** Items of sets and maps, and the keys of the latter, are always there. */
    private void notNull(ObjectNode schema, String path) {
        String listType = schema.path(LIST_TYPE).asText();
        if (!Set.of("set", "map").contains(listType) || !(schema.get("items") instanceof ObjectNode items)) {
            return;
        }
        if (flag(items, "nullable")) {
            faults.add(FieldError.forbidden(
                    path + ".items.nullable", "cannot be nullable when " + LIST_TYPE + " is " + listType));
        }
        for (JsonNode k : listType.equals("map") ? schema.path(LIST_KEYS) : NullNode.getInstance()) {
            JsonNode property = items.path("properties").path(k.asText());
            boolean required = false;
            for (JsonNode r : items.path("required")) {
                required |= r.asText().equals(k.asText());
            }
            String at = path + ".items.properties[" + k.asText() + "]";
            if (property.isObject() && !required && !property.has("default")) {
                faults.add(FieldError.required(
                        at + ".default",
                        "this property is in " + LIST_KEYS + ", so it must have a default or be a required property"));
            }
            if (flag(property, "nullable")) {
                faults.add(FieldError.forbidden(
                        at + ".nullable", "this property is in " + LIST_KEYS + ", so it cannot be nullable"));
            }
        }
    }
}
