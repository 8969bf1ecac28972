package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.MergeException;
import dev.sro.testkit.schema.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The refusals of the API, in its own words. */
final class Errors {
    private Errors() {}

    static ApiException badRequest(String message) {
        return new ApiException(400, "BadRequest", message);
    }

    static ApiException notFound(Gvr type, String name) {
        return new ApiException(
                404, "NotFound", type.groupResource() + " \"" + name + "\" not found", named(type, name));
    }

    /** The type itself is not served. */
    static ApiException noSuchResource() {
        return new ApiException(404, "NotFound", "the server could not find the requested resource", Json.object());
    }

    static ApiException alreadyExists(Gvr type, String name) {
        return new ApiException(
                409, "AlreadyExists", type.groupResource() + " \"" + name + "\" already exists", named(type, name));
    }

    /** The name of a new object came with a prefix to make one of. */
    static ApiException noUniqueName(Gvr type, String name, boolean deleted) {
        return new ApiException(
                409,
                "AlreadyExists",
                (deleted ? "object is being deleted: " : "") + type.groupResource() + " \"" + name
                        + "\" already exists, the server was not able to generate a unique name for the object",
                named(type, name).put("retryAfterSeconds", 1));
    }

    static ApiException beingDeleted(Gvr type, String name) {
        return new ApiException(
                409,
                "AlreadyExists",
                "object is being deleted: " + type.groupResource() + " \"" + name + "\" already exists",
                named(type, name));
    }

    static ApiException conflict(Gvr type, String name, String why) {
        return new ApiException(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + type.groupResource() + " \"" + name + "\": " + why,
                named(type, name));
    }

    static ApiException modified(Gvr type, String name) {
        return conflict(
                type,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    /** What admission says of a pod, which may have no name yet. */
    static ApiException rejectedPod(String name, String why) {
        return forbidden(Gvr.PODS, name.isEmpty() ? "Unknown" : name, why);
    }

    static ApiException forbidden(Gvr type, String name, String why) {
        String what = type.groupResource() + (name.isEmpty() ? "" : " \"" + name + "\"");
        return new ApiException(403, "Forbidden", what + " is forbidden: " + why, named(type, name));
    }

    /** Whoever it is; the reason is not told. */
    static ApiException unauthorized(@Nullable Throwable why) {
        ApiException refusal = new ApiException(401, "Unauthorized", "Unauthorized", Json.object());
        if (why != null) {
            refusal.addSuppressed(why);
        }
        return refusal;
    }

    static ApiException methodNotAllowed() {
        return new ApiException(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                Json.object());
    }

    /** How custom resources refuse a verb; that of a method which has none is empty. */
    static ApiException notSupported(Gvr type, String verb) {
        return new ApiException(
                405,
                "MethodNotAllowed",
                verb + " is not supported on resources of kind \"" + type.groupResource() + "\"",
                named(type, ""));
    }

    /** An error that the server does not classify: code 500 without a reason. */
    static ApiException internal(String message) {
        return new ApiException(500, "", message);
    }

    /** An internal error as it is reported with a reason. */
    static ApiException internalError(String message) {
        ObjectNode details = Json.object();
        details.putArray("causes").addObject().put("message", message);
        return new ApiException(500, "InternalError", "Internal error occurred: " + message, details);
    }

    static ApiException expired(String message) {
        return new ApiException(410, "Expired", message);
    }

    static ApiException tooLargeVersion(long wanted, long current) {
        ObjectNode details = Json.object();
        details.putArray("causes")
                .addObject()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version");
        details.put("retryAfterSeconds", 1);
        return new ApiException(
                504, "Timeout", "Timeout: Too large resource version: " + wanted + ", current: " + current, details);
    }

    /** 422 for an object. {@code kind} and {@code group} are those of the object, not of the resource. */
    static ApiException invalid(String group, String kind, String name, List<FieldError> errors) {
        ObjectNode details = Json.object();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!group.isEmpty()) {
            details.put("group", group);
        }
        if (!kind.isEmpty()) {
            details.put("kind", kind);
        }
        ArrayNode causes = details.putArray("causes");
        for (FieldError error : errors) {
            causes.addObject()
                    .put("reason", error.reason())
                    .put("message", error.message())
                    .put("field", error.field());
        }
        String groupKind = group.isEmpty() ? kind : kind + "." + group;
        return new ApiException(422, "Invalid", FieldError.statusMessage(groupKind, name, errors), details);
    }

    static ApiException translate(MergeException e, Gvr type, String name) {
        ObjectNode details = null;
        if (!e.causes().isEmpty()) {
            details = Json.object();
            ArrayNode causes = details.putArray("causes");
            for (MergeException.Cause cause : e.causes()) {
                ObjectNode c = causes.addObject().put("reason", cause.reason()).put("message", cause.message());
                if (!cause.field().isEmpty()) {
                    c.put("field", cause.field());
                }
            }
        } else if (e.code() == 422) {
            details = Json.object();
        }
        String message = e.getMessage() == null ? "" : e.getMessage();
        return details == null
                ? new ApiException(e.code(), e.reason(), message)
                : new ApiException(e.code(), e.reason(), message, details);
    }

    static ObjectNode named(Gvr type, String name) {
        ObjectNode details = Json.object();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        return details.put("kind", type.plural());
    }
}
