package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives new pods what their RuntimeClass says: overhead, and where they can run ({@code plugin/pkg/admission/runtimeclass} of a
 * kube-apiserver). Called with the store's lock held.
 */
final class RuntimeClassAdmission {
    private static final Gvr CLASSES = new Gvr("node.k8s.io", "v1", "runtimeclasses");

    private final Store store;

    RuntimeClassAdmission(Store store) {
        this.store = store;
    }

    /** Completes a new pod. */
    void complete(ObjectNode spec, WriteCall call) {
        String name = Json.text(spec, "runtimeClassName");
        ObjectNode its = name.isEmpty() ? null : find(name, call);
        overhead(spec, its, call);
        if (its != null) {
            nodeSelector(spec, its, call);
            tolerations(spec, its);
        }
    }

    private ObjectNode find(String name, WriteCall call) {
        Stored found = store.get(CLASSES, Key.of(null, name));
        if (found == null) {
            throw rejected("RuntimeClass \"" + name + "\" not found", call);
        }
        return found.object();
    }

    private static ApiException rejected(String why, WriteCall call) {
        return Errors.rejectedPod(call.name, "pod rejected: " + why);
    }

    private static void overhead(ObjectNode spec, @Nullable ObjectNode its, WriteCall call) {
        JsonNode given = spec.path("overhead");
        JsonNode fixed = its == null ? given : its.path("overhead").path("podFixed");
        if (its == null || fixed.isEmpty()) {
            if (!given.isEmpty()) {
                throw rejected("Pod Overhead set without corresponding RuntimeClass defined Overhead", call);
            }
            return;
        }
        if (!given.isEmpty() && !given.equals(fixed)) {
            throw rejected("Pod's Overhead doesn't match RuntimeClass's defined Overhead", call);
        }
        spec.set("overhead", fixed.deepCopy());
    }

    private static void nodeSelector(ObjectNode spec, ObjectNode its, WriteCall call) {
        JsonNode wanted = its.path("scheduling").path("nodeSelector");
        if (wanted.isEmpty()) {
            return;
        }
        ObjectNode all = spec.get("nodeSelector") instanceof ObjectNode own ? Json.shallow(own) : Json.object();
        for (Map.Entry<String, JsonNode> e : wanted.properties()) {
            JsonNode own = all.get(e.getKey());
            if (own != null && !own.equals(e.getValue())) {
                throw Errors.rejectedPod(
                        call.name,
                        "conflict: runtimeClass.scheduling.nodeSelector[" + e.getKey() + "] = "
                                + e.getValue().asText() + "; pod.spec.nodeSelector[" + e.getKey() + "] = "
                                + own.asText());
            }
            all.set(e.getKey(), e.getValue());
        }
        spec.set("nodeSelector", all);
    }

    private static void tolerations(ObjectNode spec, ObjectNode its) {
        JsonNode wanted = its.path("scheduling").path("tolerations");
        if (wanted.isEmpty()) {
            return;
        }
        ArrayNode all = spec.arrayNode();
        spec.path("tolerations").forEach(all::add);
        for (JsonNode toleration : wanted) {
            boolean there = false;
            for (JsonNode own : all) {
                there |= own.equals(toleration);
            }
            if (!there) {
                all.add(toleration);
            }
        }
        spec.set("tolerations", all);
    }
}
