package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** Nothing is made in a namespace that is missing or going away; the namespaces of the system cannot be deleted. */
final class NamespaceAdmission {
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private final Store store;

    NamespaceAdmission(Store store) {
        this.store = store;
    }

    /** Refuses new objects in namespaces that are missing or terminating. */
    void check(WriteCall call) {
        if (call.type.custom()) {
            Stored definition = store.get(
                    Gvr.CUSTOMRESOURCEDEFINITIONS, Key.of(null, call.gvr().groupResource()));
            if (definition != null && Json.terminating(definition.object())) {
                throw Errors.forbidden(
                        call.gvr(), call.name, "create not allowed while custom resource definition is terminating");
            }
        }
        if (call.namespace == null) {
            return;
        }
        Stored namespace = store.get(Gvr.NAMESPACES, Key.of(null, call.namespace));
        if (namespace == null) {
            throw Errors.notFound(Gvr.NAMESPACES, call.namespace);
        }
        if (Json.terminating(namespace.object())) {
            ObjectNode details = Errors.named(call.gvr(), call.name);
            details.putArray("causes")
                    .addObject()
                    .put("reason", "NamespaceTerminating")
                    .put("message", "namespace " + call.namespace + " is being terminated")
                    .put("field", "metadata.namespace");
            throw new ApiException(
                    403,
                    "Forbidden",
                    call.gvr().groupResource() + " \"" + call.name
                            + "\" is forbidden: unable to create new content in namespace " + call.namespace
                            + " because it is being terminated",
                    details);
        }
    }

    /** Refuses to delete a namespace of the system. */
    void checkDelete(WriteCall call) {
        if (call.type.storage().equals(Gvr.NAMESPACES) && IMMORTAL.contains(call.name)) {
            throw Errors.forbidden(Gvr.NAMESPACES, call.name, "this namespace may not be deleted");
        }
    }
}
