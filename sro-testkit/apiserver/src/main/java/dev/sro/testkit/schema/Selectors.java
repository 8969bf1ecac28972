package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Label selectors of the API: {@code matchLabels} and {@code matchExpressions}. */
final class Selectors {
    private Selectors() {}

    /** Whether the labels match; a missing or empty selector matches nothing, as workloads see it. */
    static boolean matches(@Nullable JsonNode selector, @Nullable JsonNode labels) {
        if (selector == null || selector.isEmpty()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> e : selector.path("matchLabels").properties()) {
            if (labels == null || !e.getValue().equals(labels.get(e.getKey()))) {
                return false;
            }
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            JsonNode value =
                    labels == null ? null : labels.get(expression.path("key").asText());
            if (!matches(expression, value == null ? null : value.asText())) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(JsonNode expression, @Nullable String value) {
        boolean listed = false;
        for (JsonNode v : expression.path("values")) {
            listed |= v.asText().equals(value);
        }
        return switch (expression.path("operator").asText()) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}
