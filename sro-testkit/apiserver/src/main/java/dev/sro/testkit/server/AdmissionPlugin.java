package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** One of the plugins that a kube-apiserver has built in and switched on. Called with the store's lock held. */
interface AdmissionPlugin {
    /**
     * Changes an object before policies and webhooks see it.
     *
     * @param object not to be changed itself
     * @param old what is there already; null for a new object
     * @return the object to go on with; the same instance if nothing changed
     */
    default ObjectNode mutate(WriteCall call, ObjectNode object, @Nullable Stored old) {
        return object;
    }

    /**
     * Refuses an object that is valid.
     *
     * @param old what is there already; null for a new object
     * @throws ApiException if it is refused
     */
    void validate(WriteCall call, ObjectNode object, @Nullable Stored old);
}
