package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of {@code x-kubernetes-validations}.
 *
 * @param rule the expression
 * @param message what to say if it is false, may be empty
 * @param messageExpression an expression that makes the message, may be empty
 * @param reason for instance {@code FieldValueForbidden}; empty for the default
 * @param fieldPath where to report it, below the node; may be empty
 * @param optionalOldSelf whether a transition rule also runs on create, with an optional old value
 */
record CelRule(
        String rule,
        String message,
        String messageExpression,
        String reason,
        String fieldPath,
        boolean optionalOldSelf) {

    static List<CelRule> read(@Nullable JsonNode json) {
        List<CelRule> out = new ArrayList<>();
        if (json != null && json.isArray()) {
            for (JsonNode r : json) {
                out.add(new CelRule(
                        r.path("rule").asText(),
                        r.path("message").asText(),
                        r.path("messageExpression").asText(),
                        r.path("reason").asText(),
                        r.path("fieldPath").asText(),
                        r.path("optionalOldSelf").asBoolean()));
            }
        }
        return List.copyOf(out);
    }
}
