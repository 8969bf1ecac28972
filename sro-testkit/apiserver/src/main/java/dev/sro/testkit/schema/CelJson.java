package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelTime;
import dev.sro.core.cel.CelValues;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How JSON becomes values of CEL, by its schema where there is one. Stateless. */
final class CelJson {
    private CelJson() {}

    /** A value that does not fit its schema becomes a {@link CelException}, which fails the rules that look at it. */
    static @Nullable Object convert(@Nullable SchemaNode schema, JsonNode json) {
        String fault = schema == null || json.isNull() ? "" : fault(schema, json);
        if (!fault.isEmpty()) {
            return new CelException("invalid data, expected " + fault);
        }
        return switch (json.getNodeType()) {
            case OBJECT -> map(schema, json);
            case ARRAY -> list(schema, json);
            case STRING -> text(schema, json.textValue());
            case BOOLEAN -> json.booleanValue();
            case NUMBER -> number(schema, json);
            default -> null;
        };
    }

    private static String fault(SchemaNode schema, JsonNode json) {
        if (schema.intOrString) {
            boolean fits = json.isTextual() || json.isNumber();
            return fits ? "" : "XIntOrString value to be either a string or integer";
        }
        String got = ", got " + GoText.type(json);
        return switch (schema.type) {
            case "object" -> json.isObject() ? "" : "a map for the provided schema with type=object";
            case "array" -> json.isArray() ? "" : "an array for the provided schema with type=array";
            case "string" -> json.isTextual() ? "" : "string" + got;
            case "integer" -> json.isNumber() ? "" : "int" + got;
            case "number" -> json.isNumber() ? "" : "float" + got;
            case "boolean" -> json.isBoolean() ? "" : "bool" + got;
            default -> "";
        };
    }

    private static Object number(@Nullable SchemaNode schema, JsonNode json) {
        boolean fraction = schema != null && schema.type.equals("number");
        if (!fraction && (json.isIntegralNumber() || json.doubleValue() == Math.rint(json.doubleValue()))) {
            return json.longValue();
        }
        return json.doubleValue();
    }

    private static Object text(@Nullable SchemaNode schema, String text) {
        String format = schema == null ? "" : schema.format;
        try {
            return switch (format) {
                case "byte" -> CelValues.Bytes.of(Base64.getDecoder().decode(text));
                case "date-time" -> OffsetDateTime.parse(text).toInstant();
                case "duration" -> CelTime.duration(text);
                default -> text;
            };
        } catch (DateTimeParseException | IllegalArgumentException | CelException e) {
            return text;
        }
    }

    private static List<@Nullable Object> list(@Nullable SchemaNode schema, JsonNode json) {
        List<@Nullable Object> out = new ArrayList<>(json.size());
        for (JsonNode item : json) {
            out.add(convert(schema == null ? null : schema.items, item));
        }
        return out;
    }

    /** Declared fields are named as in expressions, keys of free maps as they are. */
    private static Map<Object, @Nullable Object> map(@Nullable SchemaNode schema, JsonNode json) {
        Map<Object, @Nullable Object> out = new LinkedHashMap<>();
        boolean struct = schema != null && (!schema.properties.isEmpty() || schema.embedded);
        for (Map.Entry<String, JsonNode> e : json.properties()) {
            SchemaNode property = schema == null ? null : schema.properties.get(e.getKey());
            SchemaNode known = property == null && schema != null ? schema.additional : property;
            boolean named = struct && (property != null || known == null);
            out.put(named ? CelValues.escaped(e.getKey()) : e.getKey(), convert(known, e.getValue()));
        }
        return out;
    }
}
