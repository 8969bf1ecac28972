package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** What looks at a write before it takes effect. Called with the store's lock held. */
interface Admission {
    /** Refuses new objects in namespaces that are missing or terminating. */
    void checkNamespace(WriteCall call);

    /** Mutating admission; returns the object to go on with. */
    ObjectNode mutate(WriteCall call, ObjectNode object, @Nullable ObjectNode old, String operation, TypeRules rules);

    /** Validating admission. */
    void validate(WriteCall call, @Nullable ObjectNode object, @Nullable ObjectNode old, String operation);
}
