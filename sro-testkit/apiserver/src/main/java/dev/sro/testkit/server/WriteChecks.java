package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.FieldError;
import java.util.List;

/** What has to hold of a body before it is written: names, namespace, versions; and the order of its fields. Stateless. */
final class WriteChecks {

    private WriteChecks() {}

    static void place(WriteCall call, ObjectNode metadata) {
        checkNamespace(call, metadata);
        if (call.namespace == null) {
            metadata.remove("namespace");
        } else {
            metadata.put("namespace", call.namespace);
        }
    }

    static void checkNamespace(WriteCall call, ObjectNode metadata) {
        String sent = Json.text(metadata, "namespace");
        if (call.namespace != null && !sent.isEmpty() && !sent.equals(call.namespace)) {
            throw Errors.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    static void checkName(WriteCall call, ObjectNode body) {
        String sent = Json.name(body);
        if (sent.isEmpty()) {
            throw Errors.badRequest("the name of the object (" + call.name
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!sent.equals(call.name)) {
            throw Errors.badRequest(
                    "the name of the object (" + sent + ") does not match the name on the URL (" + call.name + ")");
        }
    }

    static void checkVersion(WriteCall call, ObjectNode body, Stored live, boolean required) {
        String sent = Json.text(body, "metadata", "resourceVersion");
        if (sent.isEmpty() || sent.equals("0")) {
            if (required) {
                throw Errors.invalid(
                        call.gvr().group(),
                        call.gvr().plural(),
                        call.name,
                        List.of(MetadataRules.invalid(
                                "metadata.resourceVersion", "0", "must be specified for an update")));
            }
            return;
        }
        if (Versions.parseOfBody(sent) != live.version()) {
            throw Errors.modified(call.gvr(), call.name);
        }
    }

    /** An object that an apply will make has no uid yet. */
    static void checkNobodys(WriteCall call, String uid) {
        if (!uid.isEmpty()) {
            throw Errors.conflict(
                    call.gvr(),
                    call.name,
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
    }

    /** What is not stored comes back with the version that it was sent with. */
    static void echoVersion(ObjectNode metadata, String version) {
        if (!version.isEmpty()) {
            metadata.put("resourceVersion", version);
        }
    }

    /** Of an object that an update will make: the version must be a number, whichever. */
    static void dropVersion(ObjectNode metadata) {
        String sent = Json.text(metadata, "resourceVersion");
        if (!sent.isEmpty()) {
            Versions.parseOfBody(sent);
        }
        metadata.remove("resourceVersion");
    }

    static ApiException taken(Gvr type, ObjectNode object, Stored existing) {
        String name = Json.name(object);
        boolean deleted = Json.terminating(existing.object());
        if (!Json.text(object, "metadata", "generateName").isEmpty()) {
            return Errors.noUniqueName(type, name, deleted);
        }
        return deleted ? Errors.beingDeleted(type, name) : Errors.alreadyExists(type, name);
    }

    /** An applied configuration whose values cannot be read. */
    static ApiException notConverted(WriteCall call, ObjectNode config, String fault) {
        String version = call.gvr().group() + "/" + call.gvr().version();
        String kind = version + ", Kind=" + call.type.kind();
        String where = Json.namespace(config) + "/" + Json.name(config);
        return Errors.internal("failed to convert new object (" + where + "; " + kind
                + ") to proper version: unable to convert unstructured object to " + kind + ": " + fault);
    }

    static ApiException uidMismatch(WriteCall call, String sent, String live) {
        String root = call.dryRun ? "/" : "/registry/";
        String path = root + prefix(call.type) + "/" + (call.namespace == null ? "" : call.namespace + "/") + call.name;
        return Errors.conflict(
                call.gvr(),
                call.name,
                "StorageError: invalid object, Code: 4, Key: " + path + ", ResourceVersion: 0, AdditionalErrorMsg:"
                        + " Precondition failed: UID in precondition: " + sent + ", UID in object meta: " + live);
    }

    /** Where the server keeps the objects of a type; for some that has historical reasons. */
    private static String prefix(ResourceType type) {
        String plural = type.gvr().plural();
        String group = type.gvr().group();
        if (type.custom() || group.equals("apiextensions.k8s.io")) {
            return group + "/" + plural;
        }
        return switch (plural) {
            case "services" -> "services/specs";
            case "endpoints" -> group.isEmpty() ? "services/endpoints" : plural;
            case "nodes" -> "minions";
            case "replicationcontrollers" -> "controllers";
            default -> plural;
        };
    }

    static void failIf(List<FieldError> errors, WriteCall call, ObjectNode object) {
        if (!errors.isEmpty()) {
            // Beside errors, only what was found while reading the body is told.
            call.warnings.removeIf(w -> !w.startsWith("unknown field") && !w.startsWith("duplicate field"));
            // Events are events of the core, whichever group they came by.
            String group = call.type.kind().equals("Event") ? "" : call.gvr().group();
            throw Errors.invalid(group, call.type.kind(), Json.name(object), errors);
        }
    }

    /** The order in which the server writes them. */
    private static final List<String> METADATA = List.of(
            "name",
            "generateName",
            "namespace",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "labels",
            "annotations",
            "ownerReferences",
            "finalizers");

    private static ObjectNode ordered(ObjectNode metadata, List<String> first) {
        ObjectNode out = Json.object();
        for (String field : first) {
            JsonNode value = metadata.get(field);
            if (value != null) {
                out.set(field, value);
            } else if (field.equals("resourceVersion")) {
                // Set when the object is stored.
                out.put(field, "");
            }
        }
        metadata.properties().forEach(e -> {
            if (!out.has(e.getKey())) {
                out.set(e.getKey(), e.getValue());
            }
        });
        return out;
    }

    /** What is about to be stored: with its metadata in order too. */
    static ObjectNode stored(ObjectNode object) {
        ObjectNode out = ordered(object);
        out.set("metadata", ordered(Json.metadata(object), METADATA));
        return out;
    }

    /** kind and apiVersion first, then metadata: as people expect to read it. */
    static ObjectNode ordered(ObjectNode object) {
        ObjectNode out = Json.object();
        out.set("kind", object.get("kind"));
        out.set("apiVersion", object.get("apiVersion"));
        out.set("metadata", object.get("metadata"));
        object.properties().forEach(e -> {
            if (!out.has(e.getKey())) {
                out.set(e.getKey(), e.getValue());
            }
        });
        return out;
    }

    /** One that can be looked at: a text, or nothing where something should be. What is no name at all, types refuse. */
    static boolean hasName(ObjectNode metadata) {
        return metadata.has("name")
                && (metadata.path("name").isTextual() || metadata.path("name").isNull());
    }
}
