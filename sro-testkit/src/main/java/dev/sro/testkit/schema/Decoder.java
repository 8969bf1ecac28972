package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.testkit.schema.TypeSchema.Field;
import dev.sro.testkit.schema.TypeSchema.Presence;
import dev.sro.testkit.schema.TypeSchema.Shape;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** See {@link BuiltinTypes#decode}. */
@SuppressWarnings("ReferenceEquality") // whether a value was replaced
final class Decoder {
    private final List<String> unknown;

    Decoder(List<String> unknown) {
        this.unknown = unknown;
    }

    void struct(TypeSchema type, ObjectNode object, String path) {
        for (Iterator<Map.Entry<String, JsonNode>> it = object.properties().iterator(); it.hasNext(); ) {
            Map.Entry<String, JsonNode> e = it.next();
            Field field = type.field(e.getKey());
            if (field == null) {
                if (!type.keepsUnknown()) {
                    unknown.add(child(path, e.getKey()));
                    it.remove();
                }
                continue;
            }
            JsonNode value = decoded(field.type(), e.getValue(), path, e.getKey());
            if (value == null || leftOut(field, value)) {
                it.remove();
            } else if (value != e.getValue()) {
                e.setValue(value);
            }
        }
        for (Field field : type.fields()) {
            if (field.presence() == Presence.ALWAYS && !object.has(field.name())) {
                object.set(field.name(), field.type().zeroValue());
            }
        }
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static boolean leftOut(Field field, JsonNode value) {
        if (field.presence() != Presence.OMIT_ZERO) {
            return false;
        }
        return switch (field.type().shape()) {
            case STRING -> value.isTextual() && value.textValue().isEmpty();
            case NUMBER -> value.isNumber() && value.doubleValue() == 0;
            case BOOLEAN -> value.isBoolean() && !value.booleanValue();
            case LIST -> value.isArray() && value.isEmpty();
            case MAP -> field.type().element() != null && value.isObject() && value.isEmpty();
            default -> false;
        };
    }

    /** The value as it is written again; null if it is a null. */
    private @Nullable JsonNode decoded(TypeSchema type, JsonNode value, String parent, String name) {
        if (value.isNull()) {
            return null;
        }
        if (type.shape() == Shape.MAP && value instanceof ObjectNode object) {
            String path = child(parent, name);
            if (type.fields().isEmpty() && type.element() != null) {
                entries(type.element(), object, path);
            } else {
                struct(type, object, path);
            }
        } else if (type.shape() == Shape.LIST && value instanceof ArrayNode array && type.element() != null) {
            items(type.element(), array, child(parent, name));
        } else if (type == TypeSchema.QUANTITY) {
            return Quantities.canonical(value);
        }
        return value;
    }

    private void entries(TypeSchema type, ObjectNode object, String path) {
        if (type == TypeSchema.STRING) {
            for (Map.Entry<String, JsonNode> e : object.properties()) {
                if (e.getValue().isNull()) {
                    e.setValue(TextNode.valueOf(""));
                }
            }
            return;
        }
        for (Map.Entry<String, JsonNode> e : object.properties()) {
            JsonNode value = decoded(type, e.getValue(), path, e.getKey());
            if (value != null && value != e.getValue()) {
                e.setValue(value);
            }
        }
    }

    private void items(TypeSchema type, ArrayNode array, String path) {
        if (type.scalar()) {
            return;
        }
        for (int i = 0; i < array.size(); i++) {
            decoded(type, array.get(i), "", path + "[" + i + "]");
        }
    }
}
