package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Defaults of dynamic resource allocation. */
final class ClaimDefaults {
    private ClaimDefaults() {}

    static void spec(@Nullable ObjectNode spec) {
        for (ObjectNode request : JsonTree.objects(JsonTree.object(spec, "devices"), "requests")) {
            request(JsonTree.object(request, "exactly"));
            for (ObjectNode alternative : JsonTree.objects(request, "firstAvailable")) {
                request(alternative);
            }
        }
    }

    /** Of the tolerations that were taken over into an allocation. */
    static void status(@Nullable ObjectNode status) {
        ObjectNode devices = JsonTree.object(JsonTree.object(status, "allocation"), "devices");
        JsonTree.objects(devices, "results").forEach(ClaimDefaults::tolerations);
    }

    private static void request(@Nullable ObjectNode request) {
        if (request == null) {
            return;
        }
        JsonTree.text(request, "allocationMode", "ExactCount");
        if (JsonTree.text(request, "allocationMode").equals("ExactCount")) {
            JsonTree.nonZero(request, "count", 1);
        }
        tolerations(request);
    }

    private static void tolerations(ObjectNode of) {
        for (ObjectNode toleration : JsonTree.objects(of, "tolerations")) {
            JsonTree.text(toleration, "operator", "Equal");
        }
    }
}
