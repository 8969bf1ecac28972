package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Admin access of Dynamic Resource Allocation: devices for a monitor, beside those who use them. An API server takes claims and templates
 * that ask for it in namespaces alone that have {@link #LABEL}. Stateless.
 */
public final class AdminAccess {

    /** The label of the namespace; its value is {@code true}. {@code DRAAdminNamespaceLabelKey} of k8s.io/api/resource/v1. */
    public static final String LABEL = "resource.kubernetes.io/admin-access";

    private AdminAccess() {}

    /** Whether one of these objects of the namespace is a claim, or a template of claims, that asks for it. */
    public static boolean isAsked(Stream<KubeObject> objects, String namespace) {
        return objects.anyMatch(object ->
                object.ref().namespace().equals(namespace) && requests(object).anyMatch(AdminAccess::asks));
    }

    private static Stream<Map<String, Object>> requests(KubeObject object) {
        if (!object.ref().apiVersion().startsWith("resource.k8s.io/")) {
            return Stream.empty();
        }
        List<Map<String, Object>> requests = switch (object.ref().kind()) {
            case "ResourceClaim" -> object.maps("spec", "devices", "requests");
            case "ResourceClaimTemplate" -> object.maps("spec", "spec", "devices", "requests");
            default -> List.of();
        };
        return requests.stream();
    }

    // Of the beta versions up to v1beta1 it is a field of the request itself.
    private static boolean asks(Map<String, Object> request) {
        Object asked = request.get("exactly") instanceof Map<?, ?> exactly
                ? exactly.get("adminAccess")
                : request.get("adminAccess");
        return Boolean.TRUE.equals(asked);
    }
}
