package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/**
 * Structural schemas at random, of all that a CustomResourceDefinition may say of a value, with a mistake here and there; and values for
 * them, most of which they take. Draws from one source.
 */
final class RandomSchemas {
    private static final int DEPTH = 3;
    private static final List<String> FIELDS = List.of("a", "b", "c", "d");
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
    private static final List<String> TEXTS = List.of(
            "a",
            "b",
            "abc",
            "A1",
            "",
            "abcdefghijkl",
            "10.0.0.1",
            "2026-01-02T03:04:05Z",
            "2026-01-02",
            "1h30m",
            "YWJj",
            "10.0.0.0/8",
            "é");
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
    /** Of a hundred places, how many are wrong. */
    private final int mistakes;

    RandomSchemas(Random random, int mistakes) {
        this.random = random;
        this.mistakes = mistakes;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean once(int of) {
        return random.nextInt(of) == 0;
    }

    private boolean wrong() {
        return random.nextInt(100) < mistakes;
    }

    /** What {@code openAPIV3Schema} is to be. */
    ObjectNode root() {
        ObjectNode root = object().put("type", "object");
        ObjectNode fields = root.putObject("properties");
        fields.set("spec", fields(DEPTH));
        if (once(2)) {
            fields.set("status", fields(1));
        }
        if (once(8)) {
            ObjectNode name = fields.putObject("metadata")
                    .put("type", "object")
                    .putObject("properties")
                    .putObject("name");
            name.put("type", "string").put("maxLength", 1 + random.nextInt(9));
        }
        if (once(6)) {
            root.putArray("required").add("spec");
        }
        if (once(8)) {
            rule(root, List.of("has(self.spec)", "self.metadata.name.size() < 4", "self.metadata.name == 'x'"));
        }
        if (wrong()) {
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
        if (once(3)) {
            ArrayNode required = schema.putArray("required").add(pick(FIELDS.subList(0, count)));
            if (wrong()) {
                required.add("nobody");
            }
        }
        if (once(8)) {
            schema.put("x-kubernetes-map-type", wrong() ? "bogus" : pick(List.of("atomic", "granular")));
        }
        if (once(8)) {
            schema.put("x-kubernetes-preserve-unknown-fields", !wrong());
        }
        if (once(8)) {
            schema.put(pick(List.of("minProperties", "maxProperties")), 1 + random.nextInt(2));
        }
        if (once(5)) {
            rule(
                    schema,
                    List.of(
                            "has(self.a)",
                            "!has(self.a) || !has(self.b)",
                            "has(self.a) == has(oldSelf.a)",
                            "!has(self.b) || has(self.a)",
                            "self == oldSelf"));
        }
        if (once(10)) {
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
        if (once(12)) {
            schema.put("nullable", true);
        }
        if (once(12)) {
            schema.put("description", "a field");
        }
        if (once(5)) {
            schema.set("default", wrong() ? JsonNodeFactory.instance.textNode("a") : value(schema));
        }
        if (wrong()) {
            spoil(schema);
        }
        return schema;
    }

    private ObjectNode text() {
        ObjectNode schema = object().put("type", "string");
        switch (random.nextInt(9)) {
            case 0 -> schema.put("minLength", random.nextInt(3));
            case 1 -> schema.put("maxLength", 1 + random.nextInt(6));
            case 2 -> schema.put("pattern", wrong() ? "(" : pick(PATTERNS.subList(0, 3)));
            case 3 -> schema.putArray("enum").add("a").add("b").add(once(4) ? "" : "abc");
            case 4 -> schema.put("format", pick(FORMATS));
            case 5 -> rule(schema.put("maxLength", 20), TEXT_RULES);
            case 6 -> junctor(schema, object().put("maxLength", 2));
            default -> {}
        }
        return schema;
    }

    private ObjectNode number() {
        ObjectNode schema = object().put("type", once(4) ? "number" : "integer");
        switch (random.nextInt(8)) {
            case 0 -> schema.put("minimum", random.nextInt(4)).put("exclusiveMinimum", once(2));
            case 1 -> schema.put("maximum", random.nextInt(9)).put("exclusiveMaximum", once(2));
            case 2 -> schema.put("multipleOf", wrong() ? 0 : 2 + random.nextInt(2));
            case 3 -> schema.put("format", pick(List.of("int32", "int64", "double", "float", "bogus")));
            case 4 -> schema.putArray("enum").add(1).add(3).add(7);
            case 5 -> rule(schema, NUMBER_RULES);
            case 6 -> junctor(schema, object().put("maximum", 5));
            default -> {}
        }
        return schema;
    }

    private ObjectNode intOrString() {
        ObjectNode schema = object().put("x-kubernetes-int-or-string", true);
        if (once(3)) {
            schema.putArray("anyOf").add(object().put("type", "integer")).add(object().put("type", "string"));
        }
        if (wrong()) {
            schema.put("type", "string");
        }
        if (once(4)) {
            schema.put("pattern", "^[0-9]+%?$");
        }
        return schema;
    }

    private ObjectNode map(int depth) {
        ObjectNode schema = object().put("type", "object");
        if (once(6)) {
            schema.put("additionalProperties", !wrong());
        } else {
            schema.set("additionalProperties", any(depth - 1));
        }
        if (once(4)) {
            schema.put("maxProperties", 1 + random.nextInt(2));
        }
        if (once(6)) {
            rule(
                    schema.put("maxProperties", 3),
                    List.of("self.all(k, k.size() < 2)", "size(self) < 2", "!('a' in self)"));
        }
        if (once(8)) {
            schema.put("x-kubernetes-map-type", "atomic");
        }
        return schema;
    }

    private ObjectNode list(int depth) {
        ObjectNode schema = object().put("type", "array");
        int form = random.nextInt(6);
        if (form == 0) {
            ObjectNode item = fields(depth - 1);
            String key = wrong() ? "nobody" : "a";
            if (!wrong()) {
                ObjectNode keys =
                        item.withObject("/properties").putObject("a").put("type", once(3) ? "integer" : "string");
                if (once(4)) {
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
            schema.set("items", wrong() ? fields(1) : object().put("type", pick(List.of("string", "integer"))));
        } else {
            schema.set("items", any(depth - 1));
            if (once(3)) {
                schema.put("x-kubernetes-list-type", wrong() ? "bogus" : "atomic");
            }
        }
        if (once(4)) {
            schema.put(pick(List.of("minItems", "maxItems")), 1 + random.nextInt(2));
        }
        if (once(6)) {
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
        rule.put("rule", wrong() ? pick(WRONG_RULES) : pick(rules));
        switch (random.nextInt(6)) {
            case 0 -> rule.put("message", wrong() ? "two\nlines" : "must be otherwise");
            case 1 -> rule.put("messageExpression", wrong() ? "1" : "'not ' + string(self == self)");
            case 2 ->
                rule.put("message", "no")
                        .put(
                                "reason",
                                wrong()
                                        ? "Bogus"
                                        : pick(List.of(
                                                "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")));
            case 3 -> {
                if (rule.path("rule").asText().contains("oldSelf")) {
                    rule.put("optionalOldSelf", once(2));
                }
            }
            case 4 -> {
                if (schema.has("properties")) {
                    rule.put("fieldPath", wrong() ? ".nobody" : ".a");
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

    /** A value that the schema takes, most of the time. */
    JsonNode value(JsonNode schema) {
        if (wrong()) {
            return pick(List.of(
                            JsonNodeFactory.instance.textNode("zzzzzzzz"),
                            JsonNodeFactory.instance.numberNode(-3),
                            JsonNodeFactory.instance.numberNode(1.5),
                            JsonNodeFactory.instance.booleanNode(true),
                            JsonNodeFactory.instance.nullNode(),
                            object().put("z", 1),
                            JsonNodeFactory.instance.arrayNode().add(1)))
                    .deepCopy();
        }
        if (schema.path("enum").isArray() && !schema.path("enum").isEmpty()) {
            return schema.path("enum").get(random.nextInt(schema.path("enum").size()));
        }
        return switch (schema.path("type").asText()) {
            case "string" -> JsonNodeFactory.instance.textNode(pick(TEXTS));
            case "integer" -> JsonNodeFactory.instance.numberNode(random.nextInt(9));
            case "number" -> JsonNodeFactory.instance.numberNode(random.nextInt(9) / 2.0);
            case "boolean" -> JsonNodeFactory.instance.booleanNode(once(2));
            case "array" -> items(schema);
            case "object" -> members(schema);
            default -> once(2) ? JsonNodeFactory.instance.textNode("5%") : JsonNodeFactory.instance.numberNode(5);
        };
    }

    private JsonNode items(JsonNode schema) {
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add(value(schema.path("items")));
        }
        return items;
    }

    private JsonNode members(JsonNode schema) {
        ObjectNode members = object();
        schema.path("properties").properties().forEach(field -> {
            boolean needed = false;
            for (JsonNode one : schema.path("required")) {
                needed |= one.asText().equals(field.getKey());
            }
            if (needed ? !wrong() : once(2)) {
                members.set(field.getKey(), value(field.getValue()));
            }
        });
        JsonNode more = schema.path("additionalProperties");
        if (more.isObject()) {
            for (String key : FIELDS.subList(0, random.nextInt(3))) {
                members.set(key, value(more));
            }
        }
        if (once(12)) {
            members.put("unknown", 1);
        }
        return members;
    }
}
