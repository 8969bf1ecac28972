package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelInterpreter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Evaluation of the CEL rules of a schema on an object. One use. */
final class CelRules {
    private final boolean lenient;
    private final List<FieldError> errors = new ArrayList<>();
    private final List<FieldError> kept = new ArrayList<>();

    private CelRules(boolean lenient) {
        this.lenient = lenient;
    }

    /**
     * What the rules refuse of a default. They were not looked into yet, and those that cannot be read are refused as well.
     *
     * @param path of the value
     */
    static List<FieldError> evaluate(SchemaNode schema, JsonNode value, @Nullable JsonNode old, String path) {
        CelRules rules = new CelRules(false);
        rules.visit(schema, value, old, path, false);
        return rules.errors;
    }

    /**
     * What the rules refuse in an update. Where a value is as it was, what a rule about it alone refuses is only warned of.
     *
     * @param warnings gets these
     */
    static List<FieldError> evaluateUpdate(
            SchemaNode root, ObjectNode object, @Nullable ObjectNode old, List<FieldError> warnings) {
        CelRules rules = new CelRules(true);
        rules.visit(root, object, old, "", false);
        warnings.addAll(rules.kept);
        return rules.errors;
    }

    /** @param unchanged whether the value is as it was, or is in one that is and has none of its own to be compared with */
    private void visit(SchemaNode schema, JsonNode value, @Nullable JsonNode old, String path, boolean unchanged) {
        if (!schema.hasRules || value.isNull()) {
            return;
        }
        boolean same = lenient && (old == null ? unchanged : old.equals(value));
        JsonNode before = old == null || old.isNull() ? null : old;
        if (!schema.rules.isEmpty()) {
            apply(schema, value, before, path, same);
        }
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> e : value.properties()) {
                SchemaNode property = schema.properties.get(e.getKey());
                SchemaNode known = property != null ? property : schema.additional;
                if (known != null) {
                    JsonNode oldEntry = before == null ? null : before.get(e.getKey());
                    String child = property != null ? path + "." + e.getKey() : path + "[" + e.getKey() + "]";
                    visit(known, e.getValue(), oldEntry, path.isEmpty() ? e.getKey() : child, same);
                }
            }
        } else if (value.isArray() && schema.items != null) {
            items(schema, schema.items, value, before, path, same);
        }
    }

    private void items(
            SchemaNode schema,
            SchemaNode itemSchema,
            JsonNode value,
            @Nullable JsonNode old,
            String path,
            boolean unchanged) {
        Map<JsonNode, JsonNode> byKey = new HashMap<>();
        if (old != null && schema.listType.equals("map")) {
            for (JsonNode item : old) {
                byKey.put(ListTypes.key(schema, item), item);
            }
        }
        for (int i = 0; i < value.size(); i++) {
            JsonNode before = byKey.get(ListTypes.key(schema, value.get(i)));
            visit(itemSchema, value.get(i), before, path + "[" + i + "]", unchanged);
        }
    }

    private void apply(SchemaNode schema, JsonNode value, @Nullable JsonNode old, String path, boolean unchanged) {
        Object self = CelJson.convert(schema, value);
        for (CelRule rule : schema.rules) {
            String fault = lenient ? "" : RuleCheck.fault(rule, schema);
            if (!fault.isEmpty()) {
                errors.add(FieldError.invalid(path, TextNode.valueOf(schema.type), "rule compile error: " + fault));
                continue;
            }
            Map<String, @Nullable Object> variables = new HashMap<>();
            variables.put("self", self);
            if (rule.optionalOldSelf) {
                variables.put(
                        "oldSelf", old == null ? Optional.empty() : Optional.ofNullable(CelJson.convert(schema, old)));
            } else if (rule.condition().uses("oldSelf")) {
                if (old == null) {
                    continue;
                }
                variables.put("oldSelf", CelJson.convert(schema, old));
            }
            boolean warned = unchanged && !rule.condition().uses("oldSelf");
            run(rule, schema, value, variables, path, warned ? kept : errors);
        }
    }

    private void run(
            CelRule rule,
            SchemaNode schema,
            JsonNode value,
            Map<String, @Nullable Object> variables,
            String path,
            List<FieldError> refused) {
        try {
            if (!Boolean.FALSE.equals(new CelInterpreter(variables).value(rule.condition()))) {
                return;
            }
        } catch (CelException e) {
            String detail = e.text().equals("no such overload")
                    ? "'" + e.text()
                            + "': call arguments did not match a supported operator, function or macro signature"
                            + " for rule: " + rule.shown()
                    : e.text() + " evaluating rule: " + rule.shown();
            errors.add(FieldError.invalid(path, TextNode.valueOf(schema.type), detail));
            return;
        }
        String field = rule.fieldPath.isEmpty() ? path : join(path, rule.fieldPath);
        boolean whole = schema.type.equals("object") || schema.type.equals("array");
        refused.add(error(rule, whole ? null : value, message(rule, variables), field));
    }

    private static String join(String path, String fieldPath) {
        return path.isEmpty() && fieldPath.startsWith(".") ? fieldPath.substring(1) : path + fieldPath;
    }

    private static FieldError error(CelRule rule, @Nullable JsonNode value, String message, String field) {
        return switch (rule.reason) {
            case "FieldValueForbidden" -> FieldError.forbidden(field, message);
            case "FieldValueRequired" -> FieldError.required(field, message);
            case "FieldValueDuplicate" ->
                FieldError.of(
                        "FieldValueDuplicate", value == null ? "Duplicate value" : "Duplicate value: " + value, field);
            default -> FieldError.invalid(field, value, message);
        };
    }

    private static String message(CelRule rule, Map<String, @Nullable Object> variables) {
        if (!rule.messageExpression.isEmpty()) {
            try {
                Object text = new CelInterpreter(variables).value(rule.messageExpr());
                if (text instanceof String s && !s.isBlank() && !s.contains("\n")) {
                    return s.strip();
                }
            } catch (CelException e) {
                // The server falls back to the static message.
                return fallback(rule);
            }
        }
        return fallback(rule);
    }

    private static String fallback(CelRule rule) {
        return rule.message.isEmpty() ? "failed rule: " + rule.rule.strip() : rule.message.strip();
    }
}
