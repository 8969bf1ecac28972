package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** The subresources: status, scale, eviction, binding, log and the like; and the reviews that are only answered. */
final class Subresources {
    private final ServerParts parts;
    private final ResourceVerbs verbs;

    Subresources(ServerParts parts, ResourceVerbs verbs) {
        this.parts = parts;
        this.verbs = verbs;
    }

    ApiResponse answer(ApiRequest request, ResourceType type, RequestPath path) {
        if (!type.subresources().contains(path.subresource())) {
            throw Errors.notFound(type.gvr(), path.name());
        }
        String verb = Verb.derive(request, path);
        if (!DiscoveryEntries.verbs(type, path.subresource()).contains(verb)
                || (!type.custom() && request.method().equals("HEAD"))) {
            throw type.custom() ? Errors.notSupported(type.gvr(), verb) : Errors.methodNotAllowed();
        }
        Negotiation.of(request, Negotiation.of(type));
        return switch (path.subresource()) {
            case "status", "finalize", "approval", "details", "ephemeralcontainers", "resize" ->
                whole(request, type, path);
            case "scale" -> new ScaleVerbs(parts, verbs).answer(request, type, path);
            case "binding" -> bind(request, type, path);
            case "eviction" -> new Eviction(parts, verbs).answer(request, type, path);
            case "log" -> new PodLogs(parts).read(request, path);
            case "token" -> new TokenRequests(parts).answer(request, type, path);
            default -> throw Errors.noSuchResource();
        };
    }

    /** Subresources that take and give the whole object. */
    private ApiResponse whole(ApiRequest request, ResourceType type, RequestPath path) {
        return switch (request.method()) {
            case "GET", "HEAD" -> verbs.get(request, type, path);
            case "PUT" -> verbs.update(request, type, path);
            case "PATCH" -> verbs.patch(request, type, path);
            default -> throw Errors.methodNotAllowed();
        };
    }

    private ApiResponse bind(ApiRequest request, ResourceType type, RequestPath path) {
        if (!request.method().equals("POST")) {
            throw Errors.methodNotAllowed();
        }
        ObjectNode body = SubresourceBodies.named(parts, request, SubresourceBodies.BINDING, path);
        checkTarget(body.path("target"));
        WriteCall call = verbs.call(request, type, path, "CreateOptions");
        JsonNode binding = reviewed(call, body);
        String node = Json.text(binding, "target", "name");
        parts.store.locked(() -> parts.writer.modify(call.unreviewed(), pod -> {
            String bound = Json.text(pod, "spec", "nodeName");
            if (!bound.isEmpty()) {
                throw Errors.conflict(
                        new Gvr(type.gvr().group(), type.gvr().version(), "pods/binding"),
                        path.name(),
                        "pod " + path.name() + " is already assigned to node \"" + bound + "\"");
            }
            KindHooks.own(pod, "spec").put("nodeName", node);
            for (String field : List.of("labels", "annotations")) {
                binding.path("metadata")
                        .path(field)
                        .properties()
                        .forEach(e -> KindHooks.own(Json.metadata(pod), field).set(e.getKey(), e.getValue()));
            }
            ObjectNode status = KindHooks.own(pod, "status");
            ArrayNode conditions = status.arrayNode();
            status.path("conditions").forEach(conditions::add);
            status.set("conditions", conditions);
            conditions
                    .addObject()
                    .put("type", "PodScheduled")
                    .put("status", "True")
                    .putNull("lastProbeTime")
                    .put("lastTransitionTime", parts.clock.instant().toString());
            return pod;
        }));
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return ApiResponse.json(201, status.put("status", "Success").put("code", 201));
    }

    private ObjectNode reviewed(WriteCall call, ObjectNode binding) {
        AdmissionAttributes.Kind kind = new AdmissionAttributes.Kind("", "v1", "Binding");
        return parts.writes.run(call, () -> parts.admission.subresource(call, kind, binding, null, "CREATE"));
    }

    private static void checkTarget(JsonNode target) {
        List<String> faults = new ArrayList<>();
        String kind = Json.text(target, "kind");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            faults.add("target.kind: Unsupported value: \"" + kind + "\": supported values: \"Node\", \"<empty>\"");
        }
        if (Json.text(target, "name").isEmpty()) {
            faults.add("target.name: Required value");
        }
        if (!faults.isEmpty()) {
            String all = String.join(", ", faults);
            throw Errors.internal(faults.size() == 1 ? all : "[" + all + "]");
        }
    }

    /** Types that are only answered: bindings by their old path, and reviews of access. */
    ApiResponse review(ApiRequest request, ResourceType type, RequestPath path) {
        if (type.kind().equals("Binding")) {
            String pod = Json.name(Bodies.object(request, type));
            RequestPath binding = new RequestPath(Gvr.PODS, path.namespace(), pod, "binding");
            return bind(request, parts.registry.find(Gvr.PODS).orElseThrow(), binding);
        }
        WriteCall call = verbs.call(request, type, path, "CreateOptions");
        return new AccessReviews(parts.authorizer, parts.tokens, parts.clock, parts.rules.of(type))
                .answer(request, path, call);
    }
}
