package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes the {@code request} of an AdmissionReview. Stateless. */
final class AdmissionRequests {
    private static final String META = "meta.k8s.io/v1";

    private AdmissionRequests() {}

    /**
     * The request.
     *
     * @param as the type under which the webhook wants the object; another version of the same objects, or the type itself
     */
    static ObjectNode create(AdmissionAttributes attributes, ResourceType as, String uid) {
        ObjectNode request = head(attributes, as, uid);
        String apiVersion = attributes.ofType() ? as.apiVersion() : null;
        request.set("object", versioned(attributes.object(), apiVersion));
        request.set("oldObject", versioned(attributes.old(), apiVersion));
        request.put("dryRun", attributes.call().dryRun);
        request.set("options", attributes.options());
        return request;
    }

    /** The same without the objects, for expressions. */
    static ObjectNode withoutObjects(AdmissionAttributes attributes, ResourceType as) {
        ObjectNode request = head(attributes, as, "");
        request.remove("uid");
        request.put("dryRun", attributes.call().dryRun);
        request.set("options", attributes.options());
        return request;
    }

    private static ObjectNode head(AdmissionAttributes attributes, ResourceType as, String uid) {
        WriteCall call = attributes.call();
        ObjectNode request = Json.object().put("uid", uid);
        AdmissionAttributes.Kind kind = attributes.ofType() ? AdmissionAttributes.Kind.of(as) : attributes.kind();
        request.set("kind", kind.json());
        request.set("resource", resource(as.gvr()));
        if (!call.subresource.isEmpty()) {
            request.put("subResource", call.subresource);
        }
        request.set("requestKind", attributes.kind().json());
        request.set("requestResource", resource(attributes.resource()));
        if (!call.subresource.isEmpty()) {
            request.put("requestSubResource", call.subresource);
        }
        if (!call.requestName().isEmpty()) {
            request.put("name", call.requestName());
        }
        if (call.namespace != null) {
            request.put("namespace", call.namespace);
        } else if (attributes.resource().equals(Gvr.NAMESPACES)) {
            request.put("namespace", call.name);
        }
        request.put("operation", attributes.operation());
        request.set("userInfo", user(call.identity));
        return request;
    }

    private static ObjectNode resource(Gvr gvr) {
        return Json.object()
                .put("group", gvr.group())
                .put("version", gvr.version())
                .put("resource", gvr.plural());
    }

    /** Who makes a request: the administrator, unless it is made in somebody's name. */
    static Subject subject(ApiRequest.@Nullable Identity identity) {
        return identity == null
                ? new Subject("kubernetes-admin", List.of("system:masters", "system:authenticated"))
                : Subject.of(identity);
    }

    private static ObjectNode user(ApiRequest.@Nullable Identity identity) {
        ObjectNode user = Json.object();
        Subject subject = subject(identity);
        user.put("username", subject.user());
        ArrayNode groups = user.putArray("groups");
        subject.groups().forEach(groups::add);
        return user;
    }

    private static @Nullable JsonNode versioned(@Nullable ObjectNode object, @Nullable String apiVersion) {
        if (object == null || apiVersion == null || apiVersion.equals(Json.text(object, "apiVersion"))) {
            return object;
        }
        ObjectNode copy = Json.shallow(object);
        copy.put("apiVersion", apiVersion);
        return copy;
    }

    /** The options of a create or update. */
    static ObjectNode options(WriteCall call, String operation) {
        boolean create = operation.equals("CREATE");
        ObjectNode options = Json.object().put("kind", create ? "CreateOptions" : "UpdateOptions");
        options.put("apiVersion", META);
        dryRun(options, call);
        if (!call.explicitManager.isEmpty()) {
            options.put("fieldManager", call.explicitManager);
        }
        return options;
    }

    /** The options of a delete. */
    static ObjectNode options(WriteCall call, DeleteOptions how) {
        ObjectNode options = Json.object().put("kind", "DeleteOptions").put("apiVersion", META);
        if (how.graceSeconds() != null) {
            options.put("gracePeriodSeconds", how.graceSeconds());
        }
        if (how.uid() != null || how.resourceVersion() != null) {
            ObjectNode preconditions = options.putObject("preconditions");
            if (how.uid() != null) {
                preconditions.put("uid", how.uid());
            }
            if (how.resourceVersion() != null) {
                preconditions.put("resourceVersion", how.resourceVersion());
            }
        }
        if (how.propagation() != null) {
            String name = how.propagation().name();
            options.put("propagationPolicy", name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT));
        }
        dryRun(options, call);
        return options;
    }

    private static void dryRun(ObjectNode options, WriteCall call) {
        if (call.dryRun) {
            options.putArray("dryRun").add("All");
        }
    }
}
