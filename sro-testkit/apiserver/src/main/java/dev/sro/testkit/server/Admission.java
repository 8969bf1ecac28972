package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields;
import org.jspecify.annotations.Nullable;

/** What looks at a write before it takes effect. Called with the store's lock held. */
interface Admission {
    /** Refuses new objects in namespaces that are missing or terminating. */
    void checkNamespace(WriteCall call);

    /**
     * Mutating admission of a new or changed object.
     *
     * @param fields who owns its fields
     * @return the object to go on with; the same instance if nothing changed
     */
    ObjectNode mutate(
            WriteCall call,
            ObjectNode object,
            ManagedFields fields,
            @Nullable Stored old,
            String operation,
            TypeRules rules);

    /** Validating admission of a new or changed object. */
    void validate(WriteCall call, ObjectNode object, ManagedFields fields, @Nullable Stored old, String operation);

    /** Admission of a delete. */
    void delete(WriteCall call, Stored live, DeleteOptions options);

    /**
     * Admission of a body that is no object of the type: a binding, an eviction, a scale.
     *
     * @return the body to go on with
     */
    ObjectNode subresource(
            WriteCall call, AdmissionAttributes.Kind kind, ObjectNode body, @Nullable ObjectNode old, String operation);
}
