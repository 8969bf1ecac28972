package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelParser;
import dev.sro.core.cel.CelType;
import dev.sro.core.cel.CelTypeCheck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
            if (rule.path("rule").asText().isBlank()) {
                errors.add(FieldError.required(at + ".rule", "rule is not specified"));
            }
            String message = rule.path("message").asText();
            if (rule.has("message") && message.isBlank() && !message.isEmpty()) {
                errors.add(FieldError.invalid(
                        at + ".message", rule.get("message"), "message must be non-empty if specified"));
            } else if (message.strip().contains("\n")) {
                errors.add(FieldError.invalid(
                        at + ".message", rule.get("message"), "message must not contain line breaks"));
            } else if (rule.path("rule").asText().strip().contains("\n") && message.isBlank()) {
                errors.add(
                        FieldError.required(at + ".message", "message must be specified if rule contains line breaks"));
            }
            JsonNode reason = rule.get("reason");
            if (reason != null && !REASONS.contains(reason.asText())) {
                errors.add(FieldError.notSupported(at + ".reason", reason, REASON_NAMES));
            }
        }
    }

    /** Reads all expressions of a structural schema; for schemas without other faults. */
    static void compile(ObjectNode schema, String path, List<FieldError> errors) {
        ObjectNode root = schema.deepCopy();
        ObjectNode properties = root.get("properties") instanceof ObjectNode p ? p : root.putObject("properties");
        ObjectNode text = JsonNodeFactory.instance.objectNode().put("type", "string");
        properties.set("apiVersion", text);
        properties.set("kind", text);
        ObjectNode metadata = properties.putObject("metadata").put("type", "object");
        metadata.putObject("properties").<ObjectNode>set("name", text).set("generateName", text);
        int before = errors.size();
        node(root, path, errors);
        if (errors.size() == before) {
            errors.addAll(CelBudget.check(root, path));
        }
    }

    private static void node(ObjectNode schema, String path, List<FieldError> errors) {
        int i = 0;
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            rule(schema, rule, path + ".x-kubernetes-validations[" + i++ + "]", errors);
        }
        StructuralCheck.children(schema, path, (child, below) -> node(child, below, errors));
    }

    private static void rule(ObjectNode schema, JsonNode rule, String path, List<FieldError> errors) {
        CelType self = CelSchemas.convert(SchemaNode.read(schema));
        Map<String, CelType> variables = new HashMap<>();
        variables.put("self", self);
        boolean optional = rule.path("optionalOldSelf").asBoolean();
        variables.put("oldSelf", optional ? CelType.optional(self) : self);
        expression(rule, "rule", CelType.BOOL, variables, path, errors);
        if (!rule.path("messageExpression").asText().isEmpty()) {
            expression(rule, "messageExpression", CelType.STRING, variables, path, errors);
        }
    }

    private static void expression(
            JsonNode rule,
            String field,
            CelType wanted,
            Map<String, CelType> variables,
            String path,
            List<FieldError> errors) {
        String source = rule.path(field).asText();
        String fault = "";
        try {
            CelType type = CelTypeCheck.check(CelParser.parse(source), variables);
            if (!type.mayBe(wanted)) {
                boolean isRule = field.equals("rule");
                fault = isRule
                        ? "cel expression must evaluate to a bool"
                        : "messageExpression must evaluate to a string";
            }
        } catch (CelException e) {
            String what = field.equals("rule") ? "compilation failed: " : "messageExpression compilation failed: ";
            fault = what + located(source, e);
        }
        if (!fault.isEmpty()) {
            JsonNode shown = field.equals("rule") ? CrdDump.rule(rule) : TextNode.valueOf(source);
            errors.add(FieldError.invalid(path + "." + field, shown, fault));
        }
    }

    /** The message with the place marked in the source. */
    static String located(String source, CelException e) {
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
