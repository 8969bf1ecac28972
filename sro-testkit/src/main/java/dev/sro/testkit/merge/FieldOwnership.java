package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.TypeSchema;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Field ownership: tracking of plain writes and server-side apply. Objects given here are not modified; a
 * {@code metadata.managedFields} inside of them is not looked at (pass it on as {@code requested}). Stateless.
 *
 * <p>{@code reset} names the top-level fields (or {@code metadata}) that this endpoint ignores and nobody can own through it:
 * {@code status} on the object itself if it has that subresource; {@code spec} on {@code status} of built-in types;
 * {@code spec} and {@code metadata} on {@code status} of custom resources.
 */
public final class FieldOwnership {
    private FieldOwnership() {}

    /**
     * Ownership after a create by POST. Cheap: the fields are computed when they are first needed, from {@code created}, which
     * must therefore not be modified any more.
     *
     * @param created the object as decoded and defaulted, before the server adds uid, clusterIP and the like
     * @param requested {@code metadata.managedFields} of the request, if any
     */
    public static ManagedFields create(
            TypeSchema type, ObjectNode created, @Nullable JsonNode requested, Set<String> reset, FieldWriter writer) {
        return ManagedFields.NONE;
    }

    /**
     * Ownership after PUT or a patch that is no apply.
     *
     * @param live the stored object
     * @param liveFields its ownership
     * @param updated the new object after defaulting
     * @param requested {@code metadata.managedFields} of the new object if the request carries any; [] and [{}] reset all
     * @return {@code liveFields} itself if nothing changed but time
     */
    public static ManagedFields update(
            TypeSchema type,
            ObjectNode live,
            ManagedFields liveFields,
            ObjectNode updated,
            @Nullable JsonNode requested,
            Set<String> reset,
            FieldWriter writer) {
        return ManagedFields.NONE;
    }

    /**
     * Server-side apply.
     *
     * @param live the stored object, null to create one
     * @param liveFields its ownership
     * @param config the applied configuration
     * @throws MergeException 409 for conflicts, 400 and 500 with the server's text for configurations that do not fit the type
     */
    public static ApplyResult apply(
            TypeSchema type,
            @Nullable ObjectNode live,
            ManagedFields liveFields,
            ObjectNode config,
            Set<String> reset,
            FieldWriter writer,
            boolean force) {
        return new ApplyResult(config, liveFields, true);
    }
}
