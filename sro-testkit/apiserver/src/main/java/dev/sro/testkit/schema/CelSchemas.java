package dev.sro.testkit.schema;

import dev.sro.core.cel.CelType;
import dev.sro.core.cel.CelType.Kind;
import dev.sro.core.cel.CelValues;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types that schemas are to CEL. Stateless. */
final class CelSchemas {
    private CelSchemas() {}

    /** The type of values of a schema. */
    static CelType convert(SchemaNode schema) {
        if (schema.intOrString) {
            return CelType.DYN;
        }
        return switch (schema.type) {
            case "boolean" -> CelType.BOOL;
            case "integer" -> CelType.INT;
            case "number" -> CelType.DOUBLE;
            case "string" -> text(schema.format);
            case "array" -> CelType.list(schema.items == null ? CelType.DYN : convert(schema.items));
            case "object" ->
                schema.additional != null && schema.properties.isEmpty()
                        ? CelType.map(convert(schema.additional))
                        : CelType.object(new SchemaFields(schema));
            default -> CelType.DYN;
        };
    }

    private static CelType text(String format) {
        return switch (format) {
            case "byte" -> CelType.simple(Kind.BYTES);
            case "date", "date-time" -> CelType.simple(Kind.TIMESTAMP);
            case "duration" -> CelType.simple(Kind.DURATION);
            default -> CelType.STRING;
        };
    }

    private record SchemaFields(SchemaNode schema) implements CelType.Fields {
        @Override
        public @Nullable CelType field(String name) {
            for (Map.Entry<String, SchemaNode> p : schema.properties.entrySet()) {
                if (CelValues.nameable(p.getKey())
                        && CelValues.escaped(p.getKey()).equals(name)) {
                    return convert(p.getValue());
                }
            }
            if (!schema.embedded) {
                return null;
            }
            return switch (name) {
                case "apiVersion", "kind" -> CelType.STRING;
                case "metadata" -> CelType.map(CelType.STRING);
                default -> null;
            };
        }
    }
}
