package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of label selectors with expressions. */
final class SelectorValidation {
    private SelectorValidation() {}

    /** What is wrong with the expressions of a selector; nothing with none. */
    static List<FieldError> validate(String at, @Nullable JsonNode selector) {
        List<FieldError> errors = new ArrayList<>();
        if (selector != null) {
            new Checks(errors).labels(selector.path("matchLabels"), at + ".matchLabels");
        }
        List<ObjectNode> expressions = JsonTree.objects(selector, "matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            expression(at + ".matchExpressions[" + i + "]", expressions.get(i), errors);
        }
        return errors;
    }

    /** As the server prints a selector: labels first, all of them in order; anything else stays what it is. */
    static JsonNode shown(JsonNode selector) {
        if (!selector.has("matchLabels") && !selector.has("matchExpressions")) {
            return selector;
        }
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        if (selector.has("matchLabels")) {
            shown.set("matchLabels", ImmutableFields.sorted(selector.get("matchLabels")));
        }
        if (selector.has("matchExpressions")) {
            ArrayNode expressions = shown.putArray("matchExpressions");
            selector.get("matchExpressions").forEach(one -> expressions.add(ImmutableFields.sorted(one)));
        }
        return shown;
    }

    private static void expression(String at, ObjectNode expression, List<FieldError> errors) {
        int values = expression.path("values").size();
        switch (JsonTree.text(expression, "operator")) {
            case "In", "NotIn" -> {
                if (values == 0) {
                    errors.add(FieldError.required(
                            at + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (values > 0) {
                    errors.add(FieldError.forbidden(
                            at + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
                }
            }
            default ->
                errors.add(FieldError.invalid(
                        at + ".operator",
                        TextNode.valueOf(JsonTree.text(expression, "operator")),
                        "not a valid selector operator"));
        }
        Checks checks = new Checks(errors);
        checks.labelKey(JsonTree.text(expression, "key"), at + ".key");
        for (int i = 0; i < values; i++) {
            DeviceNames.labelValue(expression.path("values").get(i).asText(), at + ".values[" + i + "]", errors);
        }
    }
}
