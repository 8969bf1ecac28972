package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.schema.TypeSchema.Field;
import dev.sro.testkit.schema.TypeSchema.ListKind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The merge topology of a structural schema. */
final class SchemaTypes {
    private SchemaTypes() {}

    /** The type of an object: the schema's fields and those that every object has. */
    static TypeSchema root(SchemaNode schema) {
        return object(schema, false)
                .with(Field.of("apiVersion", TypeSchema.STRING))
                .with(Field.of("kind", TypeSchema.STRING))
                .with(Field.of("metadata", BuiltinTypes.objectMeta()));
    }

    private static TypeSchema convert(SchemaNode schema, boolean preserving) {
        boolean preserve = preserving || schema.preserveUnknown;
        if (schema.intOrString) {
            return TypeSchema.UNTYPED;
        }
        return switch (schema.type) {
            case "string" -> TypeSchema.STRING;
            case "integer", "number" -> TypeSchema.NUMBER;
            case "boolean" -> TypeSchema.BOOLEAN;
            case "array" -> list(schema, preserve);
            case "object" -> object(schema, preserving);
            default -> schema.properties.isEmpty() ? TypeSchema.deduced() : object(schema, preserving);
        };
    }

    private static TypeSchema object(SchemaNode schema, boolean preserving) {
        boolean preserve = preserving || schema.preserveUnknown;
        TypeSchema out = TypeSchema.struct();
        for (Map.Entry<String, SchemaNode> p : schema.properties.entrySet()) {
            out.with(Field.of(p.getKey(), convert(p.getValue(), preserve)));
        }
        if (schema.additional != null) {
            out.withElement(convert(schema.additional, preserve));
        } else if (preserve || schema.properties.isEmpty()) {
            out.withElement(TypeSchema.deduced());
        }
        if (schema.embedded) {
            out.with(Field.of("metadata", BuiltinTypes.objectMeta()));
        }
        return schema.atomicMap ? out.asAtomic() : out;
    }

    private static TypeSchema list(SchemaNode schema, boolean preserve) {
        SchemaNode items = schema.items;
        TypeSchema type = items == null ? TypeSchema.deduced() : convert(items, preserve);
        if (schema.listType.equals("set")) {
            return TypeSchema.list(ListKind.SET, type);
        }
        if (!schema.listType.equals("map") || items == null) {
            return TypeSchema.list(ListKind.ATOMIC, type);
        }
        Map<String, JsonNode> defaults = new LinkedHashMap<>();
        for (String key : schema.listKeys) {
            JsonNode value = keyDefault(items, key);
            if (value != null) {
                defaults.put(key, value);
            }
        }
        return TypeSchema.mapList(type, schema.listKeys, defaults);
    }

    private static @Nullable JsonNode keyDefault(SchemaNode items, String key) {
        SchemaNode property = items.properties.get(key);
        return property == null ? null : property.defaultValue;
    }
}
