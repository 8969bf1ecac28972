package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;

/** Validation of node selectors, as devices and allocations have them. Stateless. */
final class NodeSelectorValidation {
    private NodeSelectorValidation() {}

    static void validate(JsonNode selector, String path, List<FieldError> errors) {
        JsonNode terms = selector.path("nodeSelectorTerms");
        String at = path + ".nodeSelectorTerms";
        if (terms.isEmpty()) {
            errors.add(FieldError.required(at, "must have at least one node selector term"));
        }
        for (int i = 0; i < terms.size(); i++) {
            term(terms.get(i), at + "[" + i + "]", errors);
        }
    }

    /** One of the alternatives, or what is preferred. */
    static void term(JsonNode term, String path, List<FieldError> errors) {
        int i = 0;
        for (JsonNode expression : term.path("matchExpressions")) {
            expression(expression, path + ".matchExpressions[" + i++ + "]", errors);
        }
        i = 0;
        for (JsonNode field : term.path("matchFields")) {
            field(field, path + ".matchFields[" + i++ + "]", errors);
        }
    }

    private static void expression(JsonNode expression, String path, List<FieldError> errors) {
        JsonNode values = expression.path("values");
        switch (expression.path("operator").asText()) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    errors.add(FieldError.required(
                            path + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    errors.add(FieldError.forbidden(
                            path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
                }
            }
            case "Gt", "Lt" -> {
                if (values.size() != 1) {
                    errors.add(FieldError.required(
                            path + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'"));
                }
            }
            default -> operator(expression, path, errors);
        }
        DeviceNames.labelKey(expression.path("key").asText(), path + ".key", errors);
        int i = 0;
        for (JsonNode value : values) {
            DeviceNames.labelValue(value.asText(), path + ".values[" + i++ + "]", errors);
        }
    }

    private static void operator(JsonNode expression, String path, List<FieldError> errors) {
        errors.add(FieldError.invalid(
                path + ".operator",
                TextNode.valueOf(expression.path("operator").asText()),
                "not a valid selector operator"));
    }

    private static void field(JsonNode field, String path, List<FieldError> errors) {
        String operator = field.path("operator").asText();
        JsonNode values = field.path("values");
        if (!operator.equals("In") && !operator.equals("NotIn")) {
            operator(field, path, errors);
        } else if (values.size() != 1) {
            errors.add(FieldError.required(
                    path + ".values",
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
        }
        String key = field.path("key").asText();
        if (!key.equals("metadata.name")) {
            errors.add(FieldError.invalid(path + ".key", TextNode.valueOf(key), "not a valid field selector key"));
            return;
        }
        int i = 0;
        for (JsonNode value : values) {
            DeviceNames.subdomain(value.asText(), path + ".values[" + i++ + "]", errors);
        }
    }
}
