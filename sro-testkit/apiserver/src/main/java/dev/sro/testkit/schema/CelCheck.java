package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.cel.CelException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the rules of a schema can be read and make sense where they stand. */
final class CelCheck {
    private static final Set<String> REASONS =
            Set.of("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate");
    private static final List<String> REASON_NAMES = List.of(
            "\"FieldValueDuplicate\"", "\"FieldValueForbidden\"", "\"FieldValueInvalid\"", "\"FieldValueRequired\"");

    private CelCheck() {}

    /** What can be said without looking into the expressions. */
    static void validate(ObjectNode schema, String path, List<FieldError> errors) {
        int i = 0;
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            String at = path + ".x-kubernetes-validations[" + i++ + "]";
            String text = rule.path("rule").asText().strip();
            String message = rule.path("message").asText();
            if (text.isEmpty()) {
                errors.add(FieldError.required(at + ".rule", "rule is not specified"));
            } else if (!message.isEmpty() && message.isBlank()) {
                errors.add(FieldError.invalid(at + ".message", rule.get("message"), "must be non-empty if specified"));
            } else if (hasNewline(message.strip())) {
                errors.add(FieldError.invalid(at + ".message", rule.get("message"), "must not contain line breaks"));
            } else if (hasNewline(text) && message.isBlank()) {
                errors.add(
                        FieldError.required(at + ".message", "message must be specified if rule contains line breaks"));
            }
            String expression = rule.path("messageExpression").asText();
            if (!expression.isEmpty() && expression.isBlank()) {
                errors.add(FieldError.required(
                        at + ".messageExpression", "messageExpression must be non-empty if specified"));
            }
            JsonNode reason = rule.get("reason");
            if (reason != null && !REASONS.contains(reason.asText())) {
                errors.add(FieldError.notSupported(at + ".reason", reason, REASON_NAMES));
            }
            fieldPath(schema, rule, at + ".fieldPath", errors);
        }
    }

    private static boolean hasNewline(String text) {
        return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
    }

    private static void fieldPath(ObjectNode schema, JsonNode rule, String at, List<FieldError> errors) {
        String path = rule.path("fieldPath").asText();
        if (path.isEmpty()) {
            return;
        }
        if (path.isBlank()) {
            errors.add(FieldError.invalid(at, rule.get("fieldPath"), "must be non-empty if specified"));
        }
        if (hasNewline(path)) {
            errors.add(FieldError.invalid(at, rule.get("fieldPath"), "must not contain line breaks"));
        }
        // Of a schema that is no structural one nothing is known.
        if (StructuralCheck.unsupported(schema).isEmpty()
                && !FieldPaths.find(path, schema, true).fault().isEmpty()) {
            errors.add(FieldError.invalid(at, rule.get("fieldPath"), "must be a valid path"));
        }
    }

    /** The messages, each with the place marked in the source. */
    static String located(String source, CelException e) {
        return e.mistakes().stream().map(one -> one(source, one)).collect(Collectors.joining("\n"));
    }

    private static String one(String source, CelException e) {
        if (source.isEmpty()) {
            return "ERROR: <input>:1:0: " + e.text();
        }
        int at = Math.max(0, e.position());
        int lineStart = source.lastIndexOf('\n', Math.max(0, at - 1)) + 1;
        int lineEnd = source.indexOf('\n', lineStart);
        String line = source.substring(lineStart, lineEnd < 0 ? source.length() : lineEnd);
        int row = (int) source.substring(0, lineStart)
                        .chars()
                        .filter(c -> c == '\n')
                        .count()
                + 1;
        int column = at - lineStart;
        return "ERROR: <input>:" + row + ":" + (column + 1) + ": " + e.text() + "\n | " + line + "\n | "
                + ".".repeat(Math.max(0, column)) + "^";
    }
}
