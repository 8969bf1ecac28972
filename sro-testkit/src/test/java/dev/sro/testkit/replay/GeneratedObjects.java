package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Objects of served kinds at random: a valid one, of which optional fields are taken away, and to which fields of the kind's schema are
 * added wherever there is room for them. Draws from one source.
 */
final class GeneratedObjects {
    /** What a server keeps for itself, or takes from nobody: left as it is. */
    private static final List<String> FIXED =
            List.of("apiVersion", "kind", "name", "generateName", "namespace", "managedFields");

    private record Room(ObjectNode object, String field, JsonNode schema) {}

    private final Random random;
    private final ServedSchemas schemas;
    private final GeneratedValues values;
    private final Mutations mutations;

    GeneratedObjects(Random random, ServedSchemas schemas) {
        this.random = random;
        this.schemas = schemas;
        this.values = new GeneratedValues(random, schemas);
        this.mutations = new Mutations(random);
    }

    /** Another object of the kind of a valid one. */
    ObjectNode like(ObjectNode sample) {
        ObjectNode object = sample.deepCopy();
        if (random.nextBoolean()) {
            thin(object, schemas.of(sample), version(sample));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            grow(object);
        }
        if (random.nextInt(5) == 0) {
            mutations.change(object);
        }
        return object;
    }

    /** Changes an object in one place or a few: fields come, go, or are others. */
    void change(ObjectNode object) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            if (random.nextInt(3) == 0) {
                mutations.change(object);
            } else {
                grow(object);
            }
        }
    }

    /** A part of an object, changed in one place once in a while. */
    ObjectNode mutated(ObjectNode part) {
        if (random.nextInt(3) == 0) {
            mutations.change(part);
        }
        return part;
    }

    private static String version(JsonNode object) {
        return object.path("apiVersion").asText();
    }

    /** Takes away fields that need not be there, one in three. */
    private void thin(JsonNode node, JsonNode schema, String version) {
        if (node instanceof ArrayNode array) {
            array.forEach(item -> thin(item, schemas.element(version, schema), version));
        } else if (node instanceof ObjectNode object && schema.has("properties")) {
            for (Iterator<Map.Entry<String, JsonNode>> all = object.properties().iterator(); all.hasNext(); ) {
                Map.Entry<String, JsonNode> field = all.next();
                if (!FIXED.contains(field.getKey())
                        && !isRequired(schema, field.getKey())
                        && !List.of("metadata", "spec", "template", "selector", "containers", "labels")
                                .contains(field.getKey())
                        && random.nextInt(3) == 0) {
                    all.remove();
                } else {
                    JsonNode of = schema.path("properties").path(field.getKey());
                    thin(field.getValue(), schemas.resolved(version, of), version);
                }
            }
        }
    }

    private static boolean isRequired(JsonNode schema, String field) {
        for (JsonNode one : schema.path("required")) {
            if (one.asText().equals(field)) {
                return true;
            }
        }
        return false;
    }

    /** Puts a field of the schema where it is not yet. */
    private void grow(ObjectNode object) {
        List<Room> rooms = new ArrayList<>();
        collect(object, schemas.of(object), version(object), rooms);
        rooms.removeIf(room -> room.field().equals("metadata") || FIXED.contains(room.field()));
        if (rooms.isEmpty()) {
            return;
        }
        Room room = rooms.get(random.nextInt(rooms.size()));
        room.object().set(room.field(), values.value(version(object), room.field(), room.schema()));
    }

    private void collect(JsonNode node, JsonNode schema, String version, List<Room> rooms) {
        if (node instanceof ArrayNode array) {
            array.forEach(item -> collect(item, schemas.element(version, schema), version, rooms));
            return;
        }
        if (!(node instanceof ObjectNode object)) {
            return;
        }
        schema.path("properties").properties().forEach(property -> {
            JsonNode of = schemas.resolved(version, property.getValue());
            JsonNode here = object.path(property.getKey());
            if (here.isMissingNode()) {
                rooms.add(new Room(object, property.getKey(), property.getValue()));
            } else {
                if (!here.isContainerNode()) {
                    rooms.add(new Room(object, property.getKey(), property.getValue()));
                }
                collect(here, of, version, rooms);
            }
        });
        if (schema.path("additionalProperties").isObject()) {
            rooms.add(new Room(object, "more", schema.path("additionalProperties")));
            object.forEach(value -> collect(value, schemas.element(version, schema), version, rooms));
        }
    }
}
