package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.JsonPatch;
import dev.sro.testkit.merge.MergeException;
import dev.sro.testkit.merge.MergePatch;
import dev.sro.testkit.schema.TypeFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The scale subresource: one number of the object behind it. */
final class ScaleVerbs {
    private static final Map<String, Set<String>> FIELDS = Map.of(
            "apiVersion", Set.of(),
            "kind", Set.of(),
            "spec", Set.of("replicas"),
            "status", Set.of("replicas", "selector"),
            "metadata",
                    Set.of(
                            "name",
                            "generateName",
                            "namespace",
                            "selfLink",
                            "uid",
                            "resourceVersion",
                            "generation",
                            "creationTimestamp",
                            "deletionTimestamp",
                            "deletionGracePeriodSeconds",
                            "labels",
                            "annotations",
                            "ownerReferences",
                            "finalizers",
                            "managedFields"));

    private final ServerParts parts;
    private final ResourceVerbs verbs;

    ScaleVerbs(ServerParts parts, ResourceVerbs verbs) {
        this.parts = parts;
        this.verbs = verbs;
    }

    ApiResponse answer(ApiRequest request, ResourceType type, RequestPath path) {
        switch (request.method()) {
            case "GET" -> {
                return get(type, path);
            }
            case "PUT" -> checkNames(SubresourceBodies.read(parts, request, SubresourceBodies.SCALE), path);
            case "PATCH" -> {
                String media = Bodies.mediaType(request.contentType());
                if (!media.startsWith("application/apply-patch")) {
                    ResourceVerbs.checkPatchType(type, media);
                }
            }
            default -> throw Errors.methodNotAllowed();
        }
        WriteCall call =
                verbs.call(request, type, path, request.method().equals("PUT") ? "UpdateOptions" : "PatchOptions");
        Stored written = parts.writes.run(call, () -> write(request, type, path, call));
        return ApiResponse.json(200, scale(type, written)).with("Warning", ResourceVerbs.warnings(call));
    }

    private ApiResponse get(ResourceType type, RequestPath path) {
        Stored stored = parts.store.locked(() -> parts.reader.get(type, path.namespace(), path.name(), null));
        checkReplicas(type, stored);
        return ApiResponse.json(200, scale(type, stored));
    }

    private static void checkNames(ObjectNode sent, RequestPath path) {
        String space = Json.text(sent, "metadata", "namespace");
        if (!space.isEmpty() && !space.equals(path.namespace())) {
            throw Errors.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        String name = Json.name(sent);
        if (name.isEmpty()) {
            throw Errors.badRequest("the name of the object (" + path.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(path.name())) {
            throw Errors.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + path.name() + ")");
        }
    }

    private Stored write(ApiRequest request, ResourceType type, RequestPath path, WriteCall call) {
        if (request.method().equals("PUT")) {
            checkKind(request, type);
        }
        Stored live = parts.reader.get(type, path.namespace(), path.name(), null);
        JsonNode wanted = wanted(request, type, live);
        String version = Json.text(wanted, "metadata", "resourceVersion");
        if (!version.isEmpty() && Versions.parse(version) != live.version()) {
            throw Errors.modified(type.gvr(), path.name());
        }
        ObjectNode sent = wanted instanceof ObjectNode object ? object : Json.object();
        fields(request, type, call, sent, live);
        String uid = Json.text(sent, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(Json.uid(live.object()))) {
            throw otherOne(type, path, uid, Json.uid(live.object()));
        }
        long replicas = replicas(type, path, call, sent, live);
        WriteCall write = call.unreviewed();
        // Whoever scales owns the number from then on, even where it stays what it was.
        write.compared = type.custom() ? null : withoutReplicas(live.object());
        return parts.writer.modify(write, o -> setReplicas(type, o, replicas)).stored();
    }

    /** The number that is wanted, as admission leaves it. */
    private long replicas(ResourceType type, RequestPath path, WriteCall call, ObjectNode sent, Stored live) {
        AdmissionAttributes.Kind kind = new AdmissionAttributes.Kind("autoscaling", "v1", "Scale");
        long replicas = parts.admission
                .subresource(call, kind, sent, scale(type, live), "UPDATE")
                .path("spec")
                .path("replicas")
                .asLong();
        String field = specPath(type);
        if (replicas == 0 && !field.isEmpty() && !at(live.object(), field).isNumber()) {
            throw Errors.badRequest("the spec replicas field \"" + field + "\" cannot be empty");
        }
        if (replicas < 0) {
            throw negative(type, path.name(), replicas);
        }
        return replicas;
    }

    /** What a Scale is not, and what it has not. */
    private void fields(ApiRequest request, ResourceType type, WriteCall call, ObjectNode sent, Stored live) {
        boolean patch = request.method().equals("PATCH");
        String kind = Json.text(sent, "kind");
        String apiVersion = Json.text(sent, "apiVersion");
        if (patch && !type.custom() && !(kind.equals("Scale") && apiVersion.equals("autoscaling/v1"))) {
            throw PatchFaults.explain(
                    sent,
                    Bodies.patch(request.body()),
                    "no kind \"" + kind + "\" is registered for version \"" + apiVersion
                            + "\" in scheme \"pkg/runtime/scheme.go:111\"");
        }
        if (patch && !type.custom()) {
            try {
                parts.rules.of(SubresourceBodies.SCALE).decode(sent.deepCopy());
            } catch (TypeFault e) {
                throw PatchFaults.explain(sent, Bodies.patch(request.body()), e.text());
            }
        }
        List<String> unknown = unknown(sent, scale(type, live)).stream()
                .map(field -> "unknown field \"" + field + "\"")
                .toList();
        if (call.validation == WriteCall.FieldValidation.WARN) {
            call.warnings.addAll(unknown);
        } else if (call.validation == WriteCall.FieldValidation.STRICT && !unknown.isEmpty()) {
            String fault = "strict decoding error: " + String.join(", ", unknown);
            throw patch
                    ? PatchFaults.explain(sent, Bodies.patch(request.body()), fault)
                    : new BodyFaultException(SubresourceBodies.SCALE, new TypeFault(fault));
        }
    }

    private static ApiException otherOne(ResourceType type, RequestPath path, String wanted, String its) {
        String space = path.namespace() == null ? "" : path.namespace() + "/";
        return Errors.conflict(
                type.gvr(),
                path.name(),
                "StorageError: invalid object, Code: 4, Key: /registry/"
                        + type.gvr().plural() + "/" + space
                        + path.name() + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in"
                        + " precondition: " + wanted + ", UID in object meta: " + its);
    }

    /** Fields that a Scale does not have, and nobody had before. */
    private static List<String> unknown(ObjectNode sent, ObjectNode known) {
        List<String> unknown = new ArrayList<>();
        sent.properties().stream().sorted(Map.Entry.comparingByKey()).forEach(part -> {
            Set<String> fields = FIELDS.get(part.getKey());
            if (fields == null) {
                unknown.add(part.getKey());
            } else {
                part.getValue().properties().stream()
                        .map(Map.Entry::getKey)
                        .filter(name -> !fields.contains(name)
                                && !known.path(part.getKey()).has(name))
                        .sorted()
                        .forEach(name -> unknown.add(part.getKey() + "." + name));
            }
        });
        return unknown;
    }

    private static ObjectNode withoutReplicas(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        if (copy.get("spec") instanceof ObjectNode spec) {
            spec.remove("replicas");
        }
        return copy;
    }

    private ApiException negative(ResourceType type, String name, long replicas) {
        if (!type.custom()) {
            return Errors.invalid(
                    "autoscaling",
                    "Scale",
                    name,
                    List.of(MetadataRules.invalid(
                            "spec.replicas", Long.toString(replicas), "must be greater than or equal to 0")));
        }
        String field = specPath(type);
        return Errors.invalid(
                type.gvr().group(),
                type.kind(),
                name,
                List.of(MetadataRules.invalid(field, Long.toString(replicas), "should be a non-negative integer")));
    }

    private JsonNode wanted(ApiRequest request, ResourceType type, Stored live) {
        String media = Bodies.mediaType(request.contentType());
        if (request.method().equals("PATCH") && media.startsWith("application/apply-patch")) {
            JsonNode config = Bodies.patch(request.body());
            if (!Json.text(config, "kind").equals("Scale")) {
                throw Errors.badRequest("invalid object type: " + Json.kindText(config));
            }
        }
        JsonNode body = Bodies.patch(request.body());
        if (request.method().equals("PUT")) {
            return body;
        }
        try {
            return media.equals("application/json-patch+json")
                    ? JsonPatch.apply(scale(type, live), body)
                    : MergePatch.apply(scale(type, live), body);
        } catch (MergeException e) {
            throw Errors.translate(e, type.gvr(), Json.name(live.object()));
        }
    }

    private ObjectNode setReplicas(ResourceType type, ObjectNode object, long replicas) {
        String path = type.custom() ? specPath(type) : ".spec.replicas";
        String[] steps = path.substring(1).split("\\.");
        ObjectNode at = object;
        for (int i = 0; i < steps.length - 1; i++) {
            at = KindHooks.own(at, steps[i]);
        }
        at.put(steps[steps.length - 1], replicas);
        return object;
    }

    /** Where a custom resource has its number; empty for other types. */
    private String specPath(ResourceType type) {
        return type.custom()
                ? Json.text(parts.customTypes.version(type.gvr()), "subresources", "scale", "specReplicasPath")
                : "";
    }

    private void checkReplicas(ResourceType type, Stored stored) {
        String field = specPath(type);
        JsonNode replicas = field.isEmpty() ? stored.object() : at(stored.object(), field);
        if (replicas.isMissingNode()) {
            throw Errors.internalError("the spec replicas field \"" + field + "\" does not exist");
        }
        if (!field.isEmpty() && !replicas.isIntegralNumber()) {
            throw new ApiException(500, "", ScalePaths.accessor(field, replicas, "int64"), Json.object());
        }
    }

    private static void checkKind(ApiRequest request, ResourceType type) {
        String kind = Json.text(Bodies.patch(request.body()), "kind");
        if (type.custom() && !kind.isEmpty() && !kind.equals("Scale")) {
            throw Errors.badRequest(
                    "no kind is registered for the type v1.Scale in scheme \"pkg/runtime/scheme.go:111\"");
        }
    }

    private ObjectNode scale(ResourceType type, Stored stored) {
        ObjectNode object = stored.object();
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : new String[] {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        ObjectNode spec = scale.putObject("spec");
        ObjectNode status = scale.putObject("status");
        if (type.custom()) {
            JsonNode paths =
                    parts.customTypes.version(type.gvr()).path("subresources").path("scale");
            JsonNode replicas = at(object, specPath(type));
            if (replicas.isNumber()) {
                spec.put("replicas", replicas.asLong());
            }
            status.put(
                    "replicas",
                    at(object, Json.text(paths, "statusReplicasPath")).asLong());
            String selector = at(object, Json.text(paths, "labelSelectorPath")).asText();
            if (!selector.isEmpty()) {
                status.put("selector", selector);
            }
            return scale;
        }
        long replicas = object.path("spec").path("replicas").asLong();
        if (replicas != 0) {
            spec.put("replicas", replicas);
        }
        status.put("replicas", object.path("status").path("replicas").asLong());
        String selector = selector(object.path("spec").path("selector"));
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    private static String selector(JsonNode selector) {
        StringBuilder text = new StringBuilder();
        // A ReplicationController's is a map of labels.
        boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions");
        (plain ? selector : selector.path("matchLabels"))
                .properties().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .forEach(e -> text.append(text.length() == 0 ? "" : ",")
                                .append(e.getKey())
                                .append('=')
                                .append(e.getValue().asText()));
        return text.toString();
    }

    private static JsonNode at(JsonNode object, String path) {
        JsonNode at = object;
        if (path.isEmpty()) {
            return Json.object().path("none");
        }
        for (String step : path.substring(1).split("\\.")) {
            at = at.path(step);
        }
        return at;
    }
}
