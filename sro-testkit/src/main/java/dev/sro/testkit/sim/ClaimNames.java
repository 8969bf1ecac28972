package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which claims a pod has: those that it names, those that were made for it, the one of its extended resources. Stateless. */
final class ClaimNames {
    static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    static final String POD_CLAIM = "resource.kubernetes.io/pod-claim-name";
    static final String EXTENDED = "resource.kubernetes.io/extended-resource-claim";

    private ClaimNames() {}

    /** The name of the claim of an entry of a pod's {@code spec.resourceClaims}; null if it has not been made yet. */
    static @Nullable String find(JsonNode pod, JsonNode podClaim) {
        if (podClaim.path("resourceClaimName").isTextual()) {
            return podClaim.path("resourceClaimName").asText();
        }
        for (JsonNode status : JsonNodes.at(pod, "status", "resourceClaimStatuses")) {
            if (JsonNodes.text(status, "name").equals(JsonNodes.text(podClaim, "name"))) {
                String made = JsonNodes.text(status, "resourceClaimName");
                return made.isEmpty() ? null : made;
            }
        }
        return null;
    }

    /** Names of all claims that are there, also that of extended resources. */
    static List<String> all(JsonNode pod) {
        List<String> names = new ArrayList<>();
        for (JsonNode podClaim : JsonNodes.at(pod, "spec", "resourceClaims")) {
            String name = find(pod, podClaim);
            if (name != null) {
                names.add(name);
            }
        }
        String extended = JsonNodes.text(pod, "status", "extendedResourceClaimStatus", "resourceClaimName");
        if (!extended.isEmpty()) {
            names.add(extended);
        }
        return names;
    }

    static boolean allocated(JsonNode claim) {
        return JsonNodes.at(claim, "status", "allocation").isObject();
    }

    static boolean reserved(JsonNode claim, String podUid) {
        for (JsonNode consumer : JsonNodes.at(claim, "status", "reservedFor")) {
            if (JsonNodes.text(consumer, "uid").equals(podUid)) {
                return true;
            }
        }
        return false;
    }

    static ObjectNode consumer(JsonNode pod) {
        return JsonNodes.object()
                .put("resource", "pods")
                .put("name", JsonNodes.name(pod))
                .put("uid", JsonNodes.uid(pod));
    }

    static boolean ownedBy(JsonNode claim, JsonNode pod) {
        return JsonNodes.text(JsonNodes.controllerOf(claim), "uid").equals(JsonNodes.uid(pod));
    }

    /** The pod as owner, as those who make claims write it. */
    static ObjectNode owner(JsonNode pod) {
        return JsonNodes.object()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("name", JsonNodes.name(pod))
                .put("uid", JsonNodes.uid(pod))
                .put("controller", true);
    }
}
