package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelExpr;
import dev.sro.core.cel.CelParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One entry of {@code x-kubernetes-validations}. Immutable as seen from outside; expressions are read when they are first used. */
final class CelRule {
    final String rule;

    /** What to say if it is false, may be empty. */
    final String message;

    /** An expression that makes the message, may be empty. */
    final String messageExpression;

    /** For instance {@code FieldValueForbidden}; empty for the default. */
    final String reason;

    /** Where to report it, below the node; may be empty. */
    final String fieldPath;

    /** Whether a transition rule also runs on create, with an optional old value. */
    final boolean optionalOldSelf;

    private volatile @Nullable CelExpr condition;
    private volatile @Nullable CelExpr messageExpr;

    private CelRule(JsonNode json) {
        rule = json.path("rule").asText();
        message = json.path("message").asText();
        messageExpression = json.path("messageExpression").asText();
        reason = json.path("reason").asText();
        fieldPath = json.path("fieldPath").asText();
        optionalOldSelf = json.path("optionalOldSelf").asBoolean();
    }

    static List<CelRule> read(@Nullable JsonNode json) {
        List<CelRule> out = new ArrayList<>();
        if (json != null && json.isArray()) {
            for (JsonNode r : json) {
                out.add(new CelRule(r));
            }
        }
        return List.copyOf(out);
    }

    /**
     * The expression.
     *
     * @throws CelException if it cannot be read; definitions with such a rule are refused on create
     */
    CelExpr condition() {
        CelExpr known = condition;
        if (known == null) {
            known = CelParser.parse(rule);
            condition = known;
        }
        return known;
    }

    CelExpr messageExpr() {
        CelExpr known = messageExpr;
        if (known == null) {
            known = CelParser.parse(messageExpression);
            messageExpr = known;
        }
        return known;
    }

    /** The rule in messages about its failure to run. */
    String shown() {
        return (message.isEmpty() ? rule : message).strip();
    }
}
