package dev.sro.testkit.schema;

import org.jspecify.annotations.Nullable;

/**
 * The static type of a CEL expression, as far as it is known.
 *
 * @param kind what it is
 * @param schema for objects: the schema
 * @param element for lists, maps and optionals: the type inside
 */
record CelType(
        Kind kind, @Nullable SchemaNode schema, @Nullable CelType element) {
    enum Kind {
        BOOL("bool"),
        INT("int"),
        DOUBLE("double"),
        STRING("string"),
        BYTES("bytes"),
        TIMESTAMP("google.protobuf.Timestamp"),
        DURATION("google.protobuf.Duration"),
        NULL("null"),
        LIST("list"),
        MAP("map"),
        OBJECT("object"),
        OPTIONAL("optional_type"),
        DYN("dyn");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    static final CelType BOOL = new CelType(Kind.BOOL, null, null);
    static final CelType INT = new CelType(Kind.INT, null, null);
    static final CelType DOUBLE = new CelType(Kind.DOUBLE, null, null);
    static final CelType STRING = new CelType(Kind.STRING, null, null);
    static final CelType DYN = new CelType(Kind.DYN, null, null);

    static CelType simple(Kind kind) {
        return new CelType(kind, null, null);
    }

    static CelType list(CelType element) {
        return new CelType(Kind.LIST, null, element);
    }

    static CelType map(CelType values) {
        return new CelType(Kind.MAP, null, values);
    }

    static CelType optional(CelType inner) {
        return new CelType(Kind.OPTIONAL, null, inner);
    }

    /** The type of values of a schema. */
    static CelType of(SchemaNode schema) {
        if (schema.intOrString) {
            return DYN;
        }
        return switch (schema.type) {
            case "boolean" -> BOOL;
            case "integer" -> INT;
            case "number" -> DOUBLE;
            case "string" -> text(schema.format);
            case "array" -> list(schema.items == null ? DYN : of(schema.items));
            case "object" ->
                schema.additional != null && schema.properties.isEmpty()
                        ? map(of(schema.additional))
                        : new CelType(Kind.OBJECT, schema, null);
            default -> DYN;
        };
    }

    private static CelType text(String format) {
        return switch (format) {
            case "byte" -> simple(Kind.BYTES);
            case "date", "date-time" -> simple(Kind.TIMESTAMP);
            case "duration" -> simple(Kind.DURATION);
            default -> STRING;
        };
    }

    CelType inside() {
        return element == null ? DYN : element;
    }

    boolean numeric() {
        return kind == Kind.INT || kind == Kind.DOUBLE;
    }

    /** Whether a value of this type might be one of the other. */
    boolean mayBe(CelType other) {
        return kind == Kind.DYN
                || other.kind == Kind.DYN
                || kind == other.kind
                || kind == Kind.NULL
                || other.kind == Kind.NULL;
    }

    @Override
    public String toString() {
        if (kind == Kind.LIST || kind == Kind.OPTIONAL) {
            return kind.text + "(" + inside() + ")";
        }
        return kind == Kind.MAP ? "map(string, " + inside() + ")" : kind.text;
    }
}
