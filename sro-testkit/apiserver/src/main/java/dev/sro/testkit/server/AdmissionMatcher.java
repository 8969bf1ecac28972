package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a webhook or a policy is about a write: rules, selectors, match policy. Called with the store's lock held. */
final class AdmissionMatcher {
    /** Nobody is asked about these: who had locked himself out could not help himself. */
    private static final Set<String> EXEMPT = Set.of(
            "validatingwebhookconfigurations",
            "mutatingwebhookconfigurations",
            "mutatingadmissionpolicies",
            "mutatingadmissionpolicybindings",
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings");

    private final Store store;
    private final ResourceRegistry registry;

    AdmissionMatcher(Store store, ResourceRegistry registry) {
        this.store = store;
        this.registry = registry;
    }

    static boolean exempt(AdmissionAttributes attributes) {
        Gvr resource = attributes.resource();
        return resource.group().equals("admissionregistration.k8s.io") && EXEMPT.contains(resource.plural());
    }

    /**
     * The type under which the object is wanted, or null if it is not.
     *
     * @param who has the selectors and the match policy
     * @param rules the name of the field that has the rules
     */
    @Nullable ResourceType match(JsonNode who, String rules, AdmissionAttributes attributes) {
        if (!inNamespace(who.path("namespaceSelector"), attributes)
                || !labelled(who.path("objectSelector"), attributes)) {
            return null;
        }
        ResourceType type = attributes.call().type;
        if (any(who.path("excludeResourceRules"), attributes, type)) {
            return null;
        }
        if (any(who.path(rules), attributes, type)) {
            return type;
        }
        if (Json.text(who, "matchPolicy").equals("Exact")) {
            return null;
        }
        for (ResourceType other : equivalents(type)) {
            if (any(who.path("excludeResourceRules"), attributes, other)) {
                return null;
            }
            if (any(who.path(rules), attributes, other)) {
                return other;
            }
        }
        return null;
    }

    /** Other versions of the same objects. */
    private List<ResourceType> equivalents(ResourceType type) {
        List<ResourceType> found = new ArrayList<>();
        for (ResourceType other : registry.all()) {
            if (other.storage().equals(type.storage()) && !other.gvr().equals(type.gvr())) {
                found.add(other);
            }
        }
        return found;
    }

    private static boolean any(JsonNode rules, AdmissionAttributes attributes, ResourceType as) {
        for (JsonNode rule : rules) {
            if (matches(rule, attributes, as)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(JsonNode rule, AdmissionAttributes attributes, ResourceType as) {
        return has(rule.path("operations"), attributes.operation())
                && has(rule.path("apiGroups"), as.gvr().group())
                && has(rule.path("apiVersions"), as.gvr().version())
                && scope(Json.text(rule, "scope"), attributes)
                && resource(rule.path("resources"), as.gvr().plural(), attributes.call().subresource)
                && (rule.path("resourceNames").isEmpty()
                        || has(rule.path("resourceNames"), attributes.call().requestName()));
    }

    private static boolean has(JsonNode values, String wanted) {
        for (JsonNode value : values) {
            if (value.asText().equals("*") || value.asText().equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    private static boolean scope(String scope, AdmissionAttributes attributes) {
        boolean namespaced = attributes.call().namespace != null;
        return switch (scope) {
            case "Namespaced" -> namespaced;
            case "Cluster" -> !namespaced;
            default -> true;
        };
    }

    private static boolean resource(JsonNode resources, String plural, String subresource) {
        for (JsonNode resource : resources) {
            String[] parts = resource.asText().split("/", 2);
            String sub = parts.length > 1 ? parts[1] : "";
            if ((parts[0].equals("*") || parts[0].equals(plural)) && (sub.equals("*") || sub.equals(subresource))) {
                return true;
            }
        }
        return false;
    }

    /** The selector looks at the labels of the namespace; at those of the object where that is a namespace itself. */
    private boolean inNamespace(JsonNode selector, AdmissionAttributes attributes) {
        if (Json.isEmpty(selector)) {
            return true;
        }
        WriteCall call = attributes.call();
        boolean isNamespace = attributes.resource().equals(Gvr.NAMESPACES);
        ObjectNode object = attributes.object();
        if (isNamespace && object != null && call.subresource.isEmpty()) {
            return LabelSelector.of(selector).matchesObject(object);
        }
        String name = isNamespace ? call.name : call.namespace;
        if (name == null) {
            return true;
        }
        Stored namespace = store.get(Gvr.NAMESPACES, Key.of(null, name));
        return namespace != null && LabelSelector.of(selector).matchesObject(namespace.object());
    }

    private static boolean labelled(JsonNode selector, AdmissionAttributes attributes) {
        if (Json.isEmpty(selector)) {
            return true;
        }
        LabelSelector labels = LabelSelector.of(selector);
        ObjectNode object = attributes.object();
        ObjectNode old = attributes.old();
        return (object != null && labels.matchesObject(object)) || (old != null && labels.matchesObject(old));
    }
}
