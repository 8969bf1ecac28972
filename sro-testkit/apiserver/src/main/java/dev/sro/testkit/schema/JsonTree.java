package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Small steps on JSON trees that defaulting and validation share. */
final class JsonTree {
    private JsonTree() {}

    static @Nullable ObjectNode object(@Nullable JsonNode parent, String field) {
        return parent != null && parent.get(field) instanceof ObjectNode o ? o : null;
    }

    /** The object under this name; made if it is not there. */
    static ObjectNode ensure(ObjectNode parent, String field) {
        ObjectNode child = object(parent, field);
        return child == null ? parent.putObject(field) : child;
    }

    /** The objects in a list; empty if there is no list. */
    static List<ObjectNode> objects(@Nullable JsonNode parent, String field) {
        if (parent == null || !(parent.get(field) instanceof ArrayNode array)) {
            return List.of();
        }
        List<ObjectNode> out = new ArrayList<>(array.size());
        for (JsonNode item : array) {
            if (item instanceof ObjectNode object) {
                out.add(object);
            }
        }
        return out;
    }

    /** The text, empty if there is none. */
    static String text(@Nullable JsonNode parent, String field) {
        JsonNode value = parent == null ? null : parent.get(field);
        return value != null && value.isTextual() ? value.textValue() : "";
    }

    /** Sets a text unless there is one that is not empty. */
    static void text(ObjectNode parent, String field, String value) {
        if (text(parent, field).isEmpty() && !set(parent, field)) {
            parent.put(field, value);
        }
    }

    /** Sets a text unless there is a value, be it empty. */
    static void absent(ObjectNode parent, String field, String value) {
        if (!parent.hasNonNull(field)) {
            parent.put(field, value);
        }
    }

    private static boolean set(ObjectNode parent, String field) {
        JsonNode value = parent.get(field);
        return value != null && !value.isNull() && !value.isTextual();
    }

    /** Sets a number unless there is a value. */
    static void number(ObjectNode parent, String field, long value) {
        if (!parent.hasNonNull(field)) {
            if (value == (int) value) {
                parent.put(field, (int) value);
            } else {
                parent.put(field, value);
            }
        }
    }

    /** Sets a number unless there is one that is not zero. */
    static void nonZero(ObjectNode parent, String field, int value) {
        JsonNode old = parent.get(field);
        if (old == null || old.isNull() || (old.isNumber() && old.intValue() == 0)) {
            parent.put(field, value);
        }
    }

    static void flag(ObjectNode parent, String field, boolean value) {
        if (!parent.hasNonNull(field)) {
            parent.put(field, value);
        }
    }
}
