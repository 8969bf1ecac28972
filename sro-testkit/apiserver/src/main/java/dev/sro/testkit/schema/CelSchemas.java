package dev.sro.testkit.schema;

import dev.sro.core.cel.CelType;
import dev.sro.core.cel.CelType.Kind;
import dev.sro.core.cel.CelValues;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types that schemas are to CEL. Stateless. */
final class CelSchemas {
    private CelSchemas() {}

    /** What the server calls the type of {@code self}; it draws the number. */
    private static final String SELF = "selfType1000000";

    /** The type of values of a schema. */
    static CelType convert(SchemaNode schema) {
        return convert(schema, SELF);
    }

    private static CelType convert(SchemaNode schema, String name) {
        if (schema.intOrString) {
            return CelType.DYN;
        }
        return switch (schema.type) {
            case "boolean" -> CelType.BOOL;
            case "integer" -> CelType.INT;
            case "number" -> CelType.DOUBLE;
            case "string" -> text(schema.format);
            case "array" -> CelType.list(schema.items == null ? CelType.DYN : convert(schema.items, name + ".@idx"));
            case "object" ->
                schema.additional != null && schema.properties.isEmpty() && !schema.anyAdditional
                        ? CelType.map(convert(schema.additional, name + ".@elem"))
                        : CelType.object(name, new SchemaFields(schema, name));
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

    private record SchemaFields(SchemaNode schema, String owner) implements CelType.Fields {
        @Override
        public @Nullable CelType field(String name) {
            for (Map.Entry<String, SchemaNode> p : schema.properties.entrySet()) {
                if (CelValues.nameable(p.getKey())
                        && CelValues.escaped(p.getKey()).equals(name)) {
                    return convert(p.getValue(), owner + "." + name);
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
