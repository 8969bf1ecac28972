package dev.sro.core.cel;

import org.jspecify.annotations.Nullable;

/**
 * The static type of a CEL expression, as far as it is known.
 *
 * @param kind what it is
 * @param fields for objects: what they have
 * @param element for lists, maps and optionals: the type inside; null for that of a list without items
 * @param name of an object's type; empty where it has none
 */
public record CelType(
        Kind kind, @Nullable Fields fields, @Nullable CelType element, String name) {

    /** The types of which expressions may make values by their names. Implementations are thread-safe. */
    public interface Types {
        /** None. */
        Types NONE = name -> null;

        /** The type of this name; null if there is none. */
        @Nullable CelType named(String name);

        /** Whether it is the first part of the name of functions that go with the types. */
        default boolean isLibrary(String name) {
            return false;
        }
    }

    /** The fields of an object. Implementations are immutable. */
    @FunctionalInterface
    public interface Fields {
        /** The type of the field of this name, as expressions write it; null if there is none. */
        @Nullable CelType field(String name);
    }

    /** What there is. */
    public enum Kind {
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

    /** Booleans. */
    public static final CelType BOOL = new CelType(Kind.BOOL, null, null, "");
    /** Whole numbers. */
    public static final CelType INT = new CelType(Kind.INT, null, null, "");
    /** Numbers with fractions. */
    public static final CelType DOUBLE = new CelType(Kind.DOUBLE, null, null, "");
    /** Texts. */
    public static final CelType STRING = new CelType(Kind.STRING, null, null, "");
    /** Not known before it is run. */
    public static final CelType DYN = new CelType(Kind.DYN, null, null, "");

    /** A kind without parts. */
    public static CelType simple(Kind kind) {
        return new CelType(kind, null, null, "");
    }

    /** Lists of these. */
    public static CelType list(CelType element) {
        return new CelType(Kind.LIST, null, element, "");
    }

    /** Maps from texts to these. */
    public static CelType map(CelType values) {
        return new CelType(Kind.MAP, null, values, "");
    }

    /** One of these, or nothing. */
    public static CelType optional(CelType inner) {
        return new CelType(Kind.OPTIONAL, null, inner, "");
    }

    /** Of a list literal without items, which may be a list of anything. */
    static CelType emptyList() {
        return new CelType(Kind.LIST, null, null, "");
    }

    /** Of an object with a name and these fields. */
    public static CelType object(String name, Fields fields) {
        return new CelType(Kind.OBJECT, fields, null, name);
    }

    /** The type of either; not known if they differ. */
    CelType or(CelType other) {
        if (equals(other) || (kind == Kind.LIST && other.kind == Kind.LIST && other.element == null)) {
            return this;
        }
        return other.kind == Kind.LIST && kind == Kind.LIST && element == null ? other : DYN;
    }

    /** Of an object with these fields. */
    public static CelType object(Fields fields) {
        return new CelType(Kind.OBJECT, fields, null, "");
    }

    /** The type inside; dynamic if it is not known. */
    public CelType inside() {
        return element == null ? DYN : element;
    }

    boolean numeric() {
        return kind == Kind.INT || kind == Kind.DOUBLE;
    }

    /** Whether a value of this type might be one of the other. */
    public boolean mayBe(CelType other) {
        boolean parts = (kind == Kind.LIST || kind == Kind.MAP)
                && kind == other.kind
                && element != null
                && other.element != null;
        if (parts) {
            return inside().mayBe(other.inside());
        }
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
        if (!name.isEmpty()) {
            return name;
        }
        return kind == Kind.MAP ? "map(string, " + inside() + ")" : kind.text;
    }
}
