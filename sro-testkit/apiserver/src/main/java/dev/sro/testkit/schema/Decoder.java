package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.testkit.schema.TypeSchema.Field;
import dev.sro.testkit.schema.TypeSchema.Presence;
import dev.sro.testkit.schema.TypeSchema.Shape;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** See {@link BuiltinTypes#decode}. */
@SuppressWarnings("ReferenceEquality") // whether a value was replaced
final class Decoder {
    private final List<String> unknown;
    private final String prefix;
    /** Name of the struct whose field is being read. */
    private String owner = "";
    /** What is read as a whole. */
    private @Nullable TypeSchema root;
    /** The first value of a wrong type: it is told when all else was read, unless something is found that cannot be read at all. */
    private @Nullable TypeFault first;

    Decoder(List<String> unknown) {
        this(unknown, "");
    }

    /**
     * A decoder for a part of an object.
     *
     * @param prefix of the part's paths, which faults do not show
     */
    Decoder(List<String> unknown, String prefix) {
        this.unknown = unknown;
        this.prefix = prefix;
    }

    void struct(TypeSchema type, ObjectNode object, String path) {
        if (root != null) {
            fields(type, object, path);
            return;
        }
        root = type;
        fields(type, object, path);
        if (first != null) {
            throw first;
        }
    }

    private void later(TypeFault fault) {
        if (first == null) {
            first = fault;
        }
    }

    private void fields(TypeSchema type, ObjectNode object, String path) {
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
            TypeFault fault = check(type, field, e.getValue(), path);
            owner = type.name();
            if (fault == null && GoTypes.isBytes(owner, e.getKey())) {
                fault = GoTypes.bytes(e.getValue(), owner + "." + e.getKey());
            }
            if (fault != null) {
                later(fault);
                it.remove();
                continue;
            }
            JsonNode value = decoded(field.type(), e.getValue(), path, e.getKey());
            if (value instanceof ObjectNode schema && isSchema(type, e.getKey())) {
                new Decoder(new ArrayList<>()).struct(type, schema, "");
            }
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

    /** Schemas that may be something else, too, are read by themselves, and nobody hears of words that are not known there. */
    private static boolean isSchema(TypeSchema type, String field) {
        return type.name().equals("JSONSchemaProps") && (field.equals("items") || field.equals("additionalProperties"));
    }

    private @Nullable TypeFault check(TypeSchema struct, Field field, JsonNode value, String path) {
        if (value.isNull() || struct.name().isEmpty()) {
            return null;
        }
        TypeSchema type = field.type();
        if (type.shape() == Shape.UNTYPED) {
            GoTypes.checkTime(field.name(), value);
            if (type != TypeSchema.QUANTITY && !GoTypes.fitsUntyped(field.name(), value)) {
                throw GoTypes.untyped(value, struct.name(), shown(child(path, field.name())));
            }
            return null;
        }
        if (type.shape() == Shape.ANY || fits(type, value)) {
            return null;
        }
        return GoTypes.check(type, value, struct.name(), shown(child(path, field.name())));
    }

    /** Cheap, for what is right nearly always. */
    private static boolean fits(TypeSchema type, JsonNode value) {
        return switch (type.shape()) {
            case STRING -> value.isTextual();
            case NUMBER -> value.isIntegralNumber() && value.canConvertToInt();
            case BOOLEAN -> value.isBoolean();
            case MAP -> value.isObject();
            default -> value.isArray();
        };
    }

    private String shown(String path) {
        String below = path.startsWith(prefix) ? path.substring(prefix.length()) : path;
        String plain = below.replaceAll("\\[\\d+\\]", "");
        return root == null ? plain : EmbeddedStructs.path(root, plain);
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
            GoTypes.checkQuantity(value);
            return Quantities.canonical(value);
        }
        return value;
    }

    private void entries(TypeSchema type, ObjectNode object, String path) {
        if (type == TypeSchema.STRING) {
            for (Map.Entry<String, JsonNode> e : object.properties()) {
                if (e.getValue().isNull()) {
                    e.setValue(TextNode.valueOf(""));
                } else if (!e.getValue().isTextual()) {
                    scalar(type, e.getValue(), path);
                }
            }
            return;
        }
        for (Map.Entry<String, JsonNode> e : object.properties()) {
            if (e.getValue().isNull() && type == TypeSchema.QUANTITY) {
                e.setValue(type.zeroValue());
            }
            JsonNode value = decoded(type, e.getValue(), path, e.getKey());
            if (value != null && value != e.getValue()) {
                e.setValue(value);
            }
        }
    }

    /** An entry of a map, or an item of a list, is reported as the field that has it. */
    private void scalar(TypeSchema type, JsonNode value, String path) {
        if (type.scalar()
                && type.shape() != Shape.UNTYPED
                && !owner.isEmpty()
                && !value.isNull()
                && !fits(type, value)) {
            TypeFault fault = GoTypes.check(type, value, owner, shown(path));
            if (fault != null) {
                later(fault);
            }
        }
    }

    private void items(TypeSchema type, ArrayNode array, String path) {
        if (type == TypeSchema.QUANTITY) {
            for (int i = 0; i < array.size(); i++) {
                GoTypes.checkQuantity(array.get(i));
                array.set(i, Quantities.canonical(array.get(i)));
            }
            return;
        }
        if (type.scalar()) {
            array.forEach(item -> scalar(type, item, path));
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i).isNull() && type.shape() != Shape.UNTYPED) {
                    // Nothing where a text or a number is expected is an empty one.
                    array.set(i, type.zeroValue());
                }
            }
            return;
        }
        String mine = owner;
        for (int i = 0; i < array.size(); i++) {
            owner = mine;
            if (!mine.isEmpty() && type.shape() == Shape.MAP && !array.get(i).isNull() && !fits(type, array.get(i))) {
                TypeFault fault = GoTypes.check(type, array.get(i), mine, shown(path));
                if (fault != null) {
                    later(fault);
                }
                continue;
            }
            if (array.get(i).isNull()
                    && type.shape() == Shape.MAP
                    && !type.fields().isEmpty()) {
                // Nothing where a struct is expected is a struct with nothing in it.
                array.set(i, array.objectNode());
            }
            decoded(type, array.get(i), "", path + "[" + i + "]");
        }
    }
}
