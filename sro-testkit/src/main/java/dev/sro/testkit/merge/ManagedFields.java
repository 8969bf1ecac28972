package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.jspecify.annotations.Nullable;

/**
 * Who owns which fields of one object: the content of {@code metadata.managedFields}, kept beside the object instead of in it.
 * Immutable as seen from outside and thread-safe; entries of a plain create are computed only when somebody looks.
 */
public final class ManagedFields {
    /** Nobody owns anything. */
    public static final ManagedFields NONE = new ManagedFields();

    private ManagedFields() {}

    /**
     * Reads {@code metadata.managedFields}.
     *
     * @throws MergeException if an entry is malformed
     */
    public static ManagedFields parse(@Nullable JsonNode array) {
        return NONE;
    }

    /** Whether there is no entry. */
    public boolean isEmpty() {
        return true;
    }

    /** The array in the server's order; a new tree of which the caller may dispose. Empty if there is no entry. */
    public ArrayNode toJson() {
        return JsonNodeFactory.instance.arrayNode();
    }
}
