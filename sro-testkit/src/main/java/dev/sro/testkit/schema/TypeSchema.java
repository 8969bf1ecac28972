package dev.sro.testkit.schema;

/**
 * The merge topology of a type: which fields there are, which lists are sets or maps with keys, which maps and lists are one
 * value. Immutable and thread-safe; references between types are resolved when they are first followed.
 */
public final class TypeSchema {
    private static final TypeSchema DEDUCED = new TypeSchema();

    private TypeSchema() {}

    /** For objects of unknown shape: maps are merged field by field, lists are one value. */
    public static TypeSchema deduced() {
        return DEDUCED;
    }
}
