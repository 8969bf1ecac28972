package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelTime;
import dev.sro.core.cel.CelValues;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the expressions of a mutation make, as JSON. Stateless. */
final class MutationValues {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private MutationValues() {}

    /**
     * The operations of a JSON patch.
     *
     * @throws CelException if it is something else
     */
    static ArrayNode patch(@Nullable Object value) {
        ArrayNode patch = JSON.arrayNode();
        if (!(value instanceof List<?> operations)) {
            throw new CelException("type mismatch: JSONPatchType.expression should evaluate to array");
        }
        for (Object operation : operations) {
            if (!(operation instanceof CelValues.Struct struct)
                    || !struct.type().equals(MutationTypes.PATCH)) {
                throw new CelException(
                        "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch, got element of "
                                + CelValues.typeOf(operation).name());
            }
            patch.add(operation(struct));
        }
        return patch;
    }

    private static ObjectNode operation(CelValues.Struct struct) {
        ObjectNode operation = JSON.objectNode();
        for (String field : List.of("op", "path", "from")) {
            Object text = struct.fields().getOrDefault(field, "");
            operation.put(field, String.valueOf(text));
        }
        if (struct.fields().get("value") instanceof CelValues.Struct object) {
            checkNames(object, object.type());
        }
        operation.set("value", json(struct.fields().get("value")));
        return operation;
    }

    /** The field of an operation that is no text, although it has to be; empty if there is none. */
    static String fault(@Nullable Object value) {
        if (value instanceof List<?> items) {
            return items.stream()
                    .map(MutationValues::fault)
                    .filter(fault -> !fault.isEmpty())
                    .findFirst()
                    .orElse("");
        }
        if (!(value instanceof CelValues.Struct struct) || !struct.type().equals(MutationTypes.PATCH)) {
            return "";
        }
        for (String field : List.of("op", "path", "from")) {
            if (struct.fields().containsKey(field) && !(struct.fields().get(field) instanceof String)) {
                Object found = struct.fields().get(field);
                String type = found instanceof Long
                        ? "int64"
                        : CelValues.typeOf(found).name();
                return "unexpected type " + type + " for JSONPatchType '" + field + "' field";
            }
        }
        return "";
    }

    /**
     * The configuration that is to be applied.
     *
     * @throws CelException if it is something else
     */
    static ObjectNode configuration(@Nullable Object value) {
        if (value instanceof CelValues.Struct object && json(object) instanceof ObjectNode configuration) {
            checkNames(object, MutationTypes.OBJECT);
            return configuration;
        }
        throw new CelException("unsupported return type from ApplyConfiguration expression: "
                + CelValues.typeOf(value).name());
    }

    /** Parts of an object are named by where they are; the server looks at it when it has the value. */
    private static void checkNames(@Nullable Object value, String path) {
        if (value instanceof List<?> items) {
            items.forEach(item -> checkNames(item, path));
        } else if (value instanceof CelValues.Struct struct) {
            if (!struct.type().equals(path)) {
                throw new CelException("type mismatch: unexpected type name \"" + struct.type() + "\", expected \""
                        + path + "\", which matches field name path from root Object type");
            }
            struct.fields().forEach((name, field) -> checkNames(field, path + "." + name));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, entry) -> checkNames(entry, path + "." + key));
        }
    }

    private static JsonNode json(@Nullable Object value) {
        if (value instanceof CelValues.Struct struct) {
            return map(struct.fields());
        }
        if (value instanceof Map<?, ?> map) {
            return map(map);
        }
        if (value instanceof List<?> items) {
            ArrayNode array = JSON.arrayNode();
            items.forEach(item -> array.add(json(item)));
            return array;
        }
        if (value instanceof CelValues.Bytes bytes) {
            ByteBuffer content = bytes.content().duplicate();
            byte[] copy = new byte[content.remaining()];
            content.get(copy);
            return JSON.textNode(Base64.getEncoder().encodeToString(copy));
        }
        return scalar(value);
    }

    private static ObjectNode map(Map<?, ?> map) {
        ObjectNode object = JSON.objectNode();
        map.forEach((key, entry) -> object.set(String.valueOf(key), json(entry)));
        return object;
    }

    private static JsonNode scalar(@Nullable Object value) {
        if (value == null) {
            return JSON.nullNode();
        }
        if (value instanceof String text) {
            return JSON.textNode(text);
        }
        if (value instanceof Long number) {
            return JSON.numberNode(number);
        }
        if (value instanceof Double number) {
            return JSON.numberNode(number);
        }
        if (value instanceof Boolean truth) {
            return JSON.booleanNode(truth);
        }
        if (value instanceof Duration duration) {
            return JSON.textNode(CelTime.text(duration));
        }
        if (value instanceof Instant instant) {
            return JSON.textNode(instant.toString());
        }
        throw new CelException("JSONPath valueExpression evaluated to a type that could not marshal to JSON: "
                + CelValues.typeOf(value).name());
    }
}
