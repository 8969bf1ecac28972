package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A write as admission sees it.
 *
 * @param call the write
 * @param operation CREATE, UPDATE or DELETE
 * @param kind what the body is: differs from the type's kind for bindings, evictions and scales
 * @param object as it is to be; null for a delete
 * @param old as it is; null for a create
 * @param options the options of the request
 */
record AdmissionAttributes(
        WriteCall call,
        String operation,
        Kind kind,
        @Nullable ObjectNode object,
        @Nullable ObjectNode old,
        ObjectNode options) {
    /** A kind with group and version. */
    record Kind(String group, String version, String kind) {
        static Kind of(ResourceType type) {
            return new Kind(type.gvr().group(), type.gvr().version(), type.kind());
        }

        ObjectNode json() {
            return Json.object().put("group", group).put("version", version).put("kind", kind);
        }
    }

    Gvr resource() {
        return call.gvr();
    }

    /** Whether the body is an object of the type itself. */
    boolean ofType() {
        return kind.equals(Kind.of(call.type));
    }

    AdmissionAttributes with(ObjectNode changed) {
        return new AdmissionAttributes(call, operation, kind, changed, old, options);
    }

    /** The name for messages: while there is none, what the name will be made of. */
    String shownName() {
        if (!call.name.isEmpty()) {
            return call.requestName();
        }
        String name = object == null ? "" : Json.name(object);
        String base = object == null ? "" : Json.text(object, "metadata", "generateName");
        if (name.isEmpty()) {
            return base.isEmpty() ? "Unknown" : base;
        }
        return name;
    }
}
