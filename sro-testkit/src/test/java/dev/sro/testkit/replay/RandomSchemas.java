package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/**
 * Structural schemas at random, of all that a CustomResourceDefinition may say of a value, with a mistake here and there. Draws from one
 * source.
 */
final class RandomSchemas {
    private static final int DEPTH = 3;
    private static final List<String> FIELDS = RandomValues.FIELDS;
    private static final List<String> FORMATS = List.of(
            "date-time",
            "date",
            "byte",
            "ipv4",
            "ipv6",
            "uuid",
            "hostname",
            "duration",
            "uri",
            "email",
            "cidr",
            "mac",
            "bogus");
    private static final List<String> PATTERNS = List.of("^[a-z]+$", "^[A-Z]", "b$", "(", "^$|a");
    private static final List<String> TEXT_RULES = List.of(
            "self.size() < 5",
            "self != 'a'",
            "self.startsWith('a') || self == ''",
            "self.matches('^[a-z]+$')",
            "self == oldSelf",
            "self in ['a', 'b', 'abc']",
            "self.lowerAscii() == self",
            "isURL(self) || self.size() < 4");
    private static final List<String> NUMBER_RULES = List.of(
            "self > 2",
            "self >= oldSelf",
            "self != 7",
            "self < 5 || self > 100",
            "self + 1 > self",
            "double(self) < 50.0");
    private static final List<String> WRONG_RULES = List.of(
            "self.", "self.bogus == 1", "self", "1 == 'a'", "size(self) > ", "other == 1", "self.all(x, x > 1)", "");

    private final Random random;
    private final RandomValues values;

    /** @param mistakes of a hundred places, how many are wrong */
    RandomSchemas(Random random, int mistakes) {
        this.random = random;
        this.values = new RandomValues(random, mistakes);
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** What {@code openAPIV3Schema} is to be. */
    ObjectNode root() {
        ObjectNode root = object().put("type", "object");
        ObjectNode fields = root.putObject("properties");
        fields.set("spec", fields(DEPTH));
        if (values.once(2)) {
            fields.set("status", fields(1));
        }
        if (values.once(8)) {
            ObjectNode name = fields.putObject("metadata")
                    .put("type", "object")
                    .putObject("properties")
                    .putObject("name");
            name.put("type", "string").put("maxLength", 1 + random.nextInt(9));
        }
        if (values.once(6)) {
            root.putArray("required").add("spec");
        }
        if (values.once(8)) {
            rule(root, List.of("has(self.spec)", "self.metadata.name.size() < 4", "self.metadata.name == 'x'"));
        }
        if (values.wrong()) {
            spoil(root);
        }
        return root;
    }

    private ObjectNode fields(int depth) {
        ObjectNode schema = object().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        int count = 1 + random.nextInt(FIELDS.size());
        for (String field : FIELDS.subList(0, count)) {
            properties.set(field, any(depth - 1));
        }
        if (values.once(3)) {
            ArrayNode required = schema.putArray("required").add(values.pick(FIELDS.subList(0, count)));
            if (values.wrong()) {
                required.add("nobody");
            }
        }
        if (values.once(8)) {
            schema.put("x-kubernetes-map-type", values.wrong() ? "bogus" : values.pick(List.of("atomic", "granular")));
        }
        if (values.once(8)) {
            schema.put("x-kubernetes-preserve-unknown-fields", !values.wrong());
        }
        if (values.once(8)) {
            schema.put(values.pick(List.of("minProperties", "maxProperties")), 1 + random.nextInt(2));
        }
        if (values.once(5)) {
            rule(
                    schema,
                    List.of(
                            "has(self.a)",
                            "!has(self.a) || !has(self.b)",
                            "has(self.a) == has(oldSelf.a)",
                            "!has(self.b) || has(self.a)",
                            "self == oldSelf"));
        }
        if (values.once(10)) {
            junctor(
                    schema,
                    object().set(
                                    "required",
                                    JsonNodeFactory.instance.arrayNode().add("a")));
        }
        return schema;
    }

    private ObjectNode any(int depth) {
        ObjectNode schema = switch (random.nextInt(depth > 0 ? 11 : 6)) {
            case 0, 1, 2 -> text();
            case 3, 4 -> number();
            case 5 -> object().put("type", "boolean");
            case 6 -> intOrString();
            case 7, 8 -> fields(depth);
            case 9 -> map(depth);
            default -> list(depth);
        };
        if (values.once(12)) {
            schema.put("nullable", true);
        }
        if (values.once(12)) {
            schema.put("description", "a field");
        }
        if (values.once(5)) {
            schema.set("default", values.wrong() ? JsonNodeFactory.instance.textNode("a") : value(schema));
        }
        if (values.wrong()) {
            spoil(schema);
        }
        return schema;
    }

    private ObjectNode text() {
        ObjectNode schema = object().put("type", "string");
        switch (random.nextInt(9)) {
            case 0 -> schema.put("minLength", random.nextInt(3));
            case 1 -> schema.put("maxLength", 1 + random.nextInt(6));
            case 2 -> schema.put("pattern", values.wrong() ? "(" : values.pick(PATTERNS.subList(0, 3)));
            case 3 -> schema.putArray("enum").add("a").add("b").add(values.once(4) ? "" : "abc");
            case 4 -> schema.put("format", values.pick(FORMATS));
            case 5 -> rule(schema.put("maxLength", 20), TEXT_RULES);
            case 6 -> junctor(schema, object().put("maxLength", 2));
            default -> {}
        }
        return schema;
    }

    private ObjectNode number() {
        ObjectNode schema = object().put("type", values.once(4) ? "number" : "integer");
        switch (random.nextInt(8)) {
            case 0 -> schema.put("minimum", random.nextInt(4)).put("exclusiveMinimum", values.once(2));
            case 1 -> schema.put("maximum", random.nextInt(9)).put("exclusiveMaximum", values.once(2));
            case 2 -> schema.put("multipleOf", values.wrong() ? 0 : 2 + random.nextInt(2));
            case 3 -> schema.put("format", values.pick(List.of("int32", "int64", "double", "float", "bogus")));
            case 4 -> schema.putArray("enum").add(1).add(3).add(7);
            case 5 -> rule(schema, NUMBER_RULES);
            case 6 -> junctor(schema, object().put("maximum", 5));
            default -> {}
        }
        return schema;
    }

    private ObjectNode intOrString() {
        ObjectNode schema = object().put("x-kubernetes-int-or-string", true);
        if (values.once(3)) {
            schema.putArray("anyOf").add(object().put("type", "integer")).add(object().put("type", "string"));
        }
        if (values.wrong()) {
            schema.put("type", "string");
        }
        if (values.once(4)) {
            schema.put("pattern", "^[0-9]+%?$");
        }
        return schema;
    }

    private ObjectNode map(int depth) {
        ObjectNode schema = object().put("type", "object");
        if (values.once(6)) {
            schema.put("additionalProperties", !values.wrong());
        } else {
            schema.set("additionalProperties", any(depth - 1));
        }
        if (values.once(4)) {
            schema.put("maxProperties", 1 + random.nextInt(2));
        }
        if (values.once(6)) {
            rule(
                    schema.put("maxProperties", 3),
                    List.of("self.all(k, k.size() < 2)", "size(self) < 2", "!('a' in self)"));
        }
        if (values.once(8)) {
            schema.put("x-kubernetes-map-type", "atomic");
        }
        return schema;
    }

    private ObjectNode list(int depth) {
        ObjectNode schema = object().put("type", "array");
        int form = random.nextInt(6);
        if (form == 0) {
            ObjectNode item = fields(depth - 1);
            String key = values.wrong() ? "nobody" : "a";
            if (!values.wrong()) {
                ObjectNode keys = item.withObject("/properties")
                        .putObject("a")
                        .put("type", values.once(3) ? "integer" : "string");
                if (values.once(4)) {
                    keys.set("default", value(keys));
                } else {
                    item.putArray("required").add("a");
                }
            }
            schema.put("x-kubernetes-list-type", "map")
                    .putArray("x-kubernetes-list-map-keys")
                    .add(key);
            schema.set("items", item);
        } else if (form == 1) {
            schema.put("x-kubernetes-list-type", "set");
            schema.set(
                    "items",
                    values.wrong() ? fields(1) : object().put("type", values.pick(List.of("string", "integer"))));
        } else {
            schema.set("items", any(depth - 1));
            if (values.once(3)) {
                schema.put("x-kubernetes-list-type", values.wrong() ? "bogus" : "atomic");
            }
        }
        if (values.once(4)) {
            schema.put(values.pick(List.of("minItems", "maxItems")), 1 + random.nextInt(2));
        }
        if (values.once(6)) {
            rule(
                    schema.put("maxItems", 3),
                    List.of("self.size() < 2", "self.size() >= oldSelf.size()", "size(self) != 1"));
        }
        return schema;
    }

    private void junctor(ObjectNode schema, JsonNode condition) {
        switch (random.nextInt(4)) {
            case 0 -> schema.set("not", condition);
            case 1 -> schema.putArray("allOf").add(condition);
            case 2 ->
                schema.putArray("anyOf")
                        .add(condition)
                        .add(object().set(
                                        "enum",
                                        JsonNodeFactory.instance.arrayNode().add("abcdef")));
            default -> schema.putArray("oneOf").add(condition).add(object().set("not", condition.deepCopy()));
        }
    }

    private void rule(ObjectNode schema, List<String> rules) {
        ObjectNode rule = schema.putArray("x-kubernetes-validations").addObject();
        rule.put("rule", values.wrong() ? values.pick(WRONG_RULES) : values.pick(rules));
        switch (random.nextInt(6)) {
            case 0 -> rule.put("message", values.wrong() ? "two\nlines" : "must be otherwise");
            case 1 -> rule.put("messageExpression", values.wrong() ? "1" : "'not ' + string(self == self)");
            case 2 ->
                rule.put("message", "no")
                        .put(
                                "reason",
                                values.wrong()
                                        ? "Bogus"
                                        : values.pick(List.of(
                                                "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")));
            case 3 -> {
                if (rule.path("rule").asText().contains("oldSelf")) {
                    rule.put("optionalOldSelf", values.once(2));
                }
            }
            case 4 -> {
                if (schema.has("properties")) {
                    rule.put("fieldPath", values.wrong() ? ".nobody" : ".a");
                }
            }
            default -> {}
        }
    }

    /** What no structural schema may be, or not there. */
    private void spoil(ObjectNode schema) {
        switch (random.nextInt(12)) {
            case 0 -> schema.remove("type");
            case 1 -> schema.put("type", "bogus");
            case 2 -> schema.put("$ref", "#/definitions/x");
            case 3 -> schema.put("uniqueItems", true);
            case 4 -> schema.put("additionalProperties", false);
            case 5 -> schema.put("unknownWord", 1);
            case 6 -> schema.putArray("anyOf").addObject().put("type", "string");
            case 7 -> schema.putObject("patternProperties").putObject("a").put("type", "string");
            case 8 -> schema.put("x-kubernetes-embedded-resource", true);
            case 9 -> schema.putObject("not").put("default", 1);
            case 10 -> schema.put("x-kubernetes-list-type", "set");
            default -> schema.put("minLength", -1);
        }
    }

    /** As {@link RandomValues} has it, of the same source. */
    JsonNode value(JsonNode schema) {
        return values.value(schema);
    }
}
