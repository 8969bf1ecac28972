package dev.sro.testkit.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What servers say under policies and webhooks, and what they ask the latter, without what no two of them say alike and what only a real one's
 * controllers write. Stateless.
 */
final class AdmissionJudgements {
    private static final ObjectMapper SORTED =
            new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private AdmissionJudgements() {}

    /** In any order, and each once: those that only say yes or no are asked at the same time, and again after a conflict. */
    static List<String> asked(List<JsonNode> calls) {
        Set<String> asked = new TreeSet<>();
        for (JsonNode call : calls) {
            if (!isControllers(call)) {
                comparable(call);
                asked.add(sorted(call));
            }
        }
        return List.copyOf(asked);
    }

    static Judgement of(Endpoint.Reply reply) {
        if (reply.body() instanceof ObjectNode body) {
            // Types of expressions are checked in the background.
            if (body.path("kind").asText().endsWith("Policy")) {
                body.remove("status");
            }
            if (body.path("metadata") instanceof ObjectNode metadata) {
                metadata.remove("managedFields");
            }
            controlled(body);
            body.path("items").forEach(AdmissionJudgements::controlled);
            body.path("items").forEach(item -> {
                if (item.path("data") instanceof ObjectNode data) {
                    data.remove("ca.crt");
                }
            });
        }
        return Judgement.ofAny(reply);
    }

    /** Takes away what a controller wrote. */
    private static void controlled(JsonNode node) {
        String kind = node.path("kind").asText("Deployment");
        if (node instanceof ObjectNode object && List.of("Deployment", "Scale").contains(kind)) {
            object.remove("status");
            if (object.path("metadata") instanceof ObjectNode metadata) {
                // Counted up when annotations go.
                metadata.remove(List.of("managedFields", "generation"));
            }
            if (object.path("metadata").path("annotations") instanceof ObjectNode annotations) {
                annotations.remove("deployment.kubernetes.io/revision");
                if (annotations.isEmpty()) {
                    ((ObjectNode) object.path("metadata")).remove("annotations");
                }
            }
        }
    }

    private static boolean isControllers(JsonNode call) {
        String user = call.path("review")
                .path("request")
                .path("userInfo")
                .path("username")
                .asText();
        return user.startsWith("system:");
    }

    /** Its text, whatever the order of its fields. */
    private static String sorted(JsonNode call) {
        try {
            return SORTED.writeValueAsString(SORTED.treeToValue(call, Object.class));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes away what only one server can have asked. */
    private static void comparable(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(List.of(
                    "ca.crt",
                    "uid",
                    "resourceVersion",
                    "creationTimestamp",
                    "managedFields",
                    "deletionTimestamp",
                    "extra"));
            if (List.of("sro-admin", "kubernetes-admin")
                    .contains(object.path("username").asText())) {
                object.put("username", "admin");
            }
        }
        controlled(node);
        node.forEach(AdmissionJudgements::comparable);
    }
}
