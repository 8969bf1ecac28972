package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** Values for schemas at random, most of which they take. Draws from one source. */
final class RandomValues {
    /** Names of fields that schemas have. */
    static final List<String> FIELDS = List.of("a", "b", "c", "d");

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

    private final Random random;
    /** Of a hundred places, how many are wrong. */
    private final int mistakes;

    RandomValues(Random random, int mistakes) {
        this.random = random;
        this.mistakes = mistakes;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Once in so many times. */
    boolean once(int of) {
        return random.nextInt(of) == 0;
    }

    /** Whether this place is wrong. */
    boolean wrong() {
        return random.nextInt(100) < mistakes;
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
