package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** Reads and writes entries of {@code status.conditions}. */
final class Conditions {
    private Conditions() {}

    static JsonNode find(JsonNode object, String type) {
        for (JsonNode c : JsonNodes.at(object, "status", "conditions")) {
            if (JsonNodes.text(c, "type").equals(type)) {
                return c;
            }
        }
        return MissingNode.getInstance();
    }

    static boolean isTrue(JsonNode object, String type) {
        return JsonNodes.text(find(object, type), "status").equals("True");
    }

    /**
     * Puts a condition in the place of the one with its type, or at the end. A condition of equal status keeps its transition
     * time; the others get {@code now}.
     */
    static void set(ObjectNode status, ObjectNode condition, Instant now) {
        ArrayNode all = JsonNodes.array(status, "conditions");
        for (int i = 0; i < all.size(); i++) {
            JsonNode old = all.get(i);
            if (JsonNodes.text(old, "type").equals(JsonNodes.text(condition, "type"))) {
                boolean kept = JsonNodes.text(old, "status").equals(JsonNodes.text(condition, "status"));
                condition.put(
                        "lastTransitionTime", kept ? JsonNodes.text(old, "lastTransitionTime") : JsonNodes.time(now));
                all.set(i, condition);
                return;
            }
        }
        condition.put("lastTransitionTime", JsonNodes.time(now));
        all.add(condition);
    }

    static ObjectNode create(String type, boolean status, String reason, String message) {
        ObjectNode c = JsonNodes.object().put("type", type).put("status", status ? "True" : "False");
        if (!reason.isEmpty()) {
            c.put("reason", reason).put("message", message);
        }
        return c;
    }

    /** A condition as pods have them, with the probe time that is never set. */
    static ObjectNode ofPod(String type, boolean status, String reason, String message) {
        ObjectNode c = JsonNodes.object().put("type", type).put("status", status ? "True" : "False");
        c.putNull("lastProbeTime");
        if (!reason.isEmpty()) {
            c.put("reason", reason);
        }
        if (!message.isEmpty()) {
            c.put("message", message);
        }
        return c;
    }
}
