package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.TypeFault;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Bodies of subresources that have a kind of their own: they are read, and refused, like objects of that kind. Stateless. */
final class SubresourceBodies {
    static final ResourceType BINDING = kind("", "v1", "Binding");
    static final ResourceType EVICTION = kind("policy", "v1", "Eviction");
    /** Still read, though nothing else is served in that version. */
    private static final ResourceType FORMER_EVICTION = kind("policy", "v1beta1", "Eviction");

    static final ResourceType SCALE = kind("autoscaling", "v1", "Scale");
    static final ResourceType TOKEN_REQUEST = kind("authentication.k8s.io", "v1", "TokenRequest");

    private SubresourceBodies() {}

    private static ResourceType kind(String group, String version, String kind) {
        String singular = kind.toLowerCase(Locale.ROOT);
        Gvr gvr = new Gvr(group, version, singular + "s");
        return new ResourceType(
                gvr, gvr, kind, singular, true, List.of(), List.of(), Set.of(), List.of("create"), false);
    }

    /**
     * The body of a request.
     *
     * @throws ApiException if it is of another kind, or has fields of other types
     */
    static ObjectNode read(ServerParts parts, ApiRequest request, ResourceType type) {
        ObjectNode body = Bodies.object(request, type);
        try {
            parts.rules.of(type).decode(body);
        } catch (TypeFault e) {
            throw new BodyFaultException(type, e);
        }
        body.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        return body;
    }

    /** The eviction of a pod, in either of its versions. */
    static ObjectNode eviction(ServerParts parts, ApiRequest request, RequestPath path) {
        boolean former = Json.text(Bodies.patch(request.body()), "apiVersion").equals(FORMER_EVICTION.apiVersion());
        ObjectNode body = named(parts, request, former ? FORMER_EVICTION : EVICTION, path);
        return body.put("apiVersion", EVICTION.apiVersion());
    }

    /** The same, about the object that the path is about. */
    static ObjectNode named(ServerParts parts, ApiRequest request, ResourceType type, RequestPath path) {
        ObjectNode body = read(parts, request, type);
        String namespace = Json.text(body, "metadata", "namespace");
        if (!namespace.isEmpty() && !namespace.equals(path.namespace())) {
            throw Errors.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        if (!Json.name(body).equals(path.name())) {
            throw Errors.badRequest("name in URL does not match name in " + type.kind() + " object");
        }
        return body;
    }
}
