package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The types that a Kubernetes API server serves by itself. Immutable and thread-safe. */
public final class BuiltinTypes {
    private static final Map<String, TypeSchema> KINDS = TypeTable.read("builtin-types.txt");

    private static final TypeSchema UNKNOWN_KIND = TypeSchema.struct()
            .with(TypeSchema.Field.of("apiVersion", TypeSchema.STRING))
            .with(TypeSchema.Field.of("kind", TypeSchema.STRING))
            .with(TypeSchema.Field.of("metadata", objectMeta()))
            .withElement(TypeSchema.deduced());

    private BuiltinTypes() {}

    /** The type; {@link TypeSchema#unknownKind()} for one that is not known. Group is empty for core. */
    public static TypeSchema find(String group, String version, String kind) {
        TypeSchema type = KINDS.get(key(group, version, kind));
        return type == null ? UNKNOWN_KIND : type;
    }

    /** Whether {@link #find} knows the type. */
    public static boolean known(String group, String version, String kind) {
        return KINDS.containsKey(key(group, version, kind));
    }

    /** Whether any type is known in a version of a group. */
    public static boolean knownVersion(String group, String version) {
        String prefix = key(group, version, "");
        return KINDS.keySet().stream().anyMatch(known -> known.startsWith(prefix));
    }

    private static String key(String group, String version, String kind) {
        return group.isEmpty() ? version + " " + kind : group + "/" + version + " " + kind;
    }

    /** Does to an object what storing it does, in place at the top; what changes below is copied first. */
    @SuppressWarnings("ReferenceEquality") // whether a value was replaced
    public static void store(TypeSchema type, ObjectNode object) {
        JsonNode stored = EmptyLists.stored(type, object);
        if (stored != object && stored instanceof ObjectNode next) {
            object.setAll(next);
        }
    }

    static TypeSchema unknownKind() {
        return UNKNOWN_KIND;
    }

    /** The type of {@code metadata}. */
    static TypeSchema objectMeta() {
        TypeSchema configMap = KINDS.get("v1 ConfigMap");
        TypeSchema.Field metadata = configMap == null ? null : configMap.field("metadata");
        if (metadata == null) {
            throw new IllegalStateException("the type table has no ObjectMeta");
        }
        return metadata.type();
    }

    /**
     * Does to a JSON tree what reading it into the server's structs and writing it does, in place: drops unknown fields, nulls and
     * what is zero where the API leaves it out, adds what is always written, and puts quantities in their canonical form. Does
     * nothing for unknown kinds and their parts.
     *
     * @return paths of the unknown fields, in order: {@code spec.bogus}, {@code spec.containers[0].bogus}
     */
    public static List<String> decode(TypeSchema type, ObjectNode object) {
        List<String> unknown = new ArrayList<>();
        new Decoder(unknown).struct(type, object, "");
        return unknown;
    }
}
