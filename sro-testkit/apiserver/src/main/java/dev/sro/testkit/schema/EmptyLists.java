package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.TypeSchema.Field;
import dev.sro.testkit.schema.TypeSchema.Presence;
import dev.sro.testkit.schema.TypeSchema.Shape;
import java.util.Map;

/**
 * Lists that are written even if there is nothing in them: the form in which objects are stored does not tell an empty one from none,
 * so that it comes back as null. Stateless.
 */
final class EmptyLists {
    private EmptyLists() {}

    /** The value as it comes back; the same one where nothing changes. What changes is a copy, all else is shared. */
    @SuppressWarnings("ReferenceEquality") // whether a value was replaced
    static JsonNode stored(TypeSchema type, JsonNode value) {
        TypeSchema element = type.element();
        if (value instanceof ArrayNode array && element != null && !element.scalar()) {
            ArrayNode copy = null;
            for (int i = 0; i < array.size(); i++) {
                JsonNode next = stored(element, array.get(i));
                if (next != array.get(i)) {
                    copy = copy == null ? array.arrayNode().addAll(array) : copy;
                    copy.set(i, next);
                }
            }
            return copy == null ? array : copy;
        }
        if (value instanceof ObjectNode object && !type.fields().isEmpty()) {
            ObjectNode copy = null;
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                Field field = type.field(entry.getKey());
                JsonNode next = field == null ? entry.getValue() : stored(field, entry.getValue());
                if (next != entry.getValue()) {
                    copy = copy == null ? object.objectNode().setAll(object) : copy;
                    copy.set(entry.getKey(), next);
                }
            }
            return copy == null ? object : copy;
        }
        return value;
    }

    private static JsonNode stored(Field field, JsonNode value) {
        boolean list = field.type().shape() == Shape.LIST;
        if (list && field.presence() == Presence.ALWAYS && value.isArray() && value.isEmpty()) {
            return NullNode.getInstance();
        }
        return field.type().scalar() ? value : stored(field.type(), value);
    }
}
