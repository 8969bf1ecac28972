package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Changes one place of an object at random: takes it away, or puts something there that may be wrong. Draws from one source. */
final class Mutations {
    private static final int LONG_NAME = 64;
    private static final int LONGER_NAME = 254;
    private static final List<String> FIXED = List.of("apiVersion", "kind", "namespace");
    private static final List<JsonNode> TEXTS = List.of(
            TextNode.valueOf(""),
            TextNode.valueOf("Bad_Value!"),
            TextNode.valueOf("UPPER"),
            TextNode.valueOf("a"),
            TextNode.valueOf("-a"),
            TextNode.valueOf("a.b"),
            TextNode.valueOf("a/b"),
            TextNode.valueOf("a/b/c"),
            TextNode.valueOf("../a"),
            TextNode.valueOf("/a"),
            TextNode.valueOf("a b"),
            TextNode.valueOf("100"),
            TextNode.valueOf("-1"),
            TextNode.valueOf("150%"),
            TextNode.valueOf("1.5Gi"),
            TextNode.valueOf("10.0.0.256"),
            TextNode.valueOf("10.0.0.1"),
            TextNode.valueOf("example.com/x"),
            TextNode.valueOf("kubernetes.io/x"),
            TextNode.valueOf("a".repeat(LONG_NAME)),
            TextNode.valueOf("b".repeat(LONGER_NAME)),
            IntNode.valueOf(7),
            BooleanNode.TRUE,
            JsonNodeFactory.instance.nullNode());
    private static final List<JsonNode> NUMBERS = List.of(
            IntNode.valueOf(-1),
            IntNode.valueOf(0),
            IntNode.valueOf(1),
            IntNode.valueOf(2),
            IntNode.valueOf(1000),
            IntNode.valueOf(65_536),
            LongNode.valueOf(2_147_483_648L),
            TextNode.valueOf("5"),
            TextNode.valueOf("x"),
            JsonNodeFactory.instance.nullNode());
    private static final List<JsonNode> FLAGS =
            List.of(BooleanNode.TRUE, BooleanNode.FALSE, TextNode.valueOf("yes"), JsonNodeFactory.instance.nullNode());

    private record Place(JsonNode parent, String field, int index) {
        JsonNode value() {
            return parent.isArray() ? parent.get(index) : parent.get(field);
        }

        void put(JsonNode value) {
            if (parent instanceof ArrayNode array) {
                array.set(index, value);
            } else if (parent instanceof ObjectNode object) {
                object.set(field, value);
            }
        }

        void remove() {
            if (parent instanceof ArrayNode array) {
                array.remove(index);
            } else if (parent instanceof ObjectNode object) {
                object.remove(field);
            }
        }
    }

    private final Random random;

    Mutations(Random random) {
        this.random = random;
    }

    /** Changes one place of the object. */
    void change(ObjectNode object) {
        List<Place> places = new ArrayList<>();
        collect(object, places, true);
        if (places.isEmpty()) {
            object.put("unknownField", 1);
            return;
        }
        Place place = places.get(random.nextInt(places.size()));
        JsonNode value = place.value();
        if (random.nextInt(4) == 0) {
            place.remove();
        } else if (value.isTextual()) {
            place.put(pick(TEXTS));
        } else if (value.isNumber()) {
            place.put(pick(NUMBERS));
        } else if (value.isBoolean()) {
            place.put(pick(FLAGS));
        } else if (value instanceof ArrayNode array) {
            list(place, array);
        } else if (value instanceof ObjectNode fields) {
            map(place, fields);
        }
    }

    /** A text or a number that may stand anywhere. */
    JsonNode value() {
        return random.nextBoolean() ? pick(TEXTS) : pick(NUMBERS);
    }

    private void list(Place place, ArrayNode array) {
        switch (random.nextInt(4)) {
            case 0 -> array.removeAll();
            case 1 -> array.addAll(array.deepCopy());
            case 2 -> place.put(JsonNodeFactory.instance.objectNode());
            default -> array.add(JsonNodeFactory.instance.objectNode());
        }
    }

    private void map(Place place, ObjectNode fields) {
        switch (random.nextInt(4)) {
            case 0 -> fields.removeAll();
            case 1 -> fields.put("unknownField", 1);
            case 2 -> fields.set("Bad Key", pick(TEXTS));
            default -> place.put(JsonNodeFactory.instance.nullNode());
        }
    }

    private JsonNode pick(List<JsonNode> values) {
        return values.get(random.nextInt(values.size())).deepCopy();
    }

    private static void collect(JsonNode node, List<Place> places, boolean top) {
        if (node instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(field -> {
                if (!(top && FIXED.contains(field))) {
                    places.add(new Place(object, field, 0));
                    collect(object.get(field), places, false);
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                places.add(new Place(array, "", i));
                collect(array.get(i), places, false);
            }
        }
    }
}
