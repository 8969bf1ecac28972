package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields of features that are off in a server of 1.36 with its usual settings: dropped, unless the object had them before. Stateless. */
final class DisabledFields {
    private static final List<String> OF_PODS = List.of("schedulingGroup");

    /** By kind: where, and which. */
    private static final Map<String, List<String>> OTHERS = Map.of("Lease", List.of("strategy", "preferredHolder"));

    private DisabledFields() {}

    static void drop(String kind, ObjectNode object, @Nullable ObjectNode old) {
        String pods = TypeWarnings.podPath(kind);
        if (!pods.isEmpty()) {
            drop(object, old, pods, OF_PODS);
        }
        drop(object, old, "spec", OTHERS.getOrDefault(kind, List.of()));
    }

    private static void drop(ObjectNode object, @Nullable ObjectNode old, String path, List<String> fields) {
        JsonNode before = old == null ? Json.object() : at(old, path);
        for (String field : fields) {
            if (at(object, path).has(field) && !before.has(field)) {
                // Objects share parts with others until they are changed.
                ObjectNode own = object;
                for (String step : path.split("\\.", -1)) {
                    own = KindHooks.own(own, step);
                }
                own.remove(field);
            }
        }
    }

    private static JsonNode at(JsonNode object, String path) {
        JsonNode value = object;
        for (String step : path.split("\\.", -1)) {
            value = value.path(step);
        }
        return value;
    }
}
