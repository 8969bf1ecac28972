package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * The annotation in which kubectl keeps what it applied by itself: an apply by the server in kubectl's name keeps it true, so that either
 * can be used after the other. Stateless.
 */
final class LastApplied {
    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
    private static final int LONGEST = 256 * 1024;

    private LastApplied() {}

    /**
     * Writes the annotation of what an apply made.
     *
     * @param live the object before, with the annotation or without
     * @param next what the apply made of it; it is changed
     */
    static void sync(WriteCall call, ObjectNode live, ObjectNode next, ObjectNode config) {
        if (!call.manager.equals("kubectl")
                || Json.text(live, "metadata", "annotations", ANNOTATION).isEmpty()) {
            return;
        }
        ObjectNode applied = config.deepCopy();
        if (applied.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.remove(ANNOTATION);
        }
        String text = sorted(applied) + "\n";
        ObjectNode annotations = KindHooks.own(Json.metadata(next), "annotations");
        if (text.length() > LONGEST) {
            annotations.remove(ANNOTATION);
        } else {
            annotations.put(ANNOTATION, text);
        }
    }

    private static JsonNode sorted(JsonNode value) {
        if (value.isArray()) {
            var list = Json.object().arrayNode();
            value.forEach(item -> list.add(sorted(item)));
            return list;
        }
        if (!value.isObject()) {
            return value;
        }
        ObjectNode sorted = Json.object();
        value.properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> sorted.set(e.getKey(), sorted(e.getValue())));
        return sorted;
    }
}
