package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of how the capacity of a device may be asked for in parts. */
final class CapacityPolicyValidation {
    private static final int MAX_VALUES = 10;

    private final List<FieldError> errors = new ArrayList<>();
    private final JsonNode capacity;
    private final JsonNode policy;
    private final String path;

    private CapacityPolicyValidation(JsonNode capacity, String path) {
        this.capacity = capacity;
        this.policy = capacity.path("requestPolicy");
        this.path = path;
    }

    static List<FieldError> validate(JsonNode capacity, String path) {
        CapacityPolicyValidation v = new CapacityPolicyValidation(capacity, path);
        boolean values = !v.policy.path("validValues").isEmpty();
        boolean range = v.policy.path("validRange").isObject();
        String kind = values ? "validValues" : "validRange";
        if (values && range) {
            v.errors.add(FieldError.forbidden(
                    path,
                    "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\" at the same"
                            + " time"));
        } else if ((values || range) && !v.policy.hasNonNull("default")) {
            v.errors.add(FieldError.required(path + ".default", "required when " + kind + " is defined"));
        } else if (values) {
            v.values();
        } else if (range) {
            v.range();
        }
        return v.errors;
    }

    private static BigDecimal value(JsonNode quantity) {
        return Quantities.value(quantity.asText()).orElse(BigDecimal.ZERO);
    }

    private static JsonNode shown(JsonNode quantity) {
        return TextNode.valueOf(Quantities.canonical(quantity).asText());
    }

    private void values() {
        JsonNode values = policy.path("validValues");
        String at = path + ".validValues";
        BigDecimal wanted = value(policy.path("default"));
        for (int i = 1; i < values.size(); i++) {
            if (value(values.get(i - 1)).compareTo(value(values.get(i))) > 0) {
                errors.add(FieldError.invalid(
                        at + "[" + i + "]", shown(values.get(i)), "values must be sorted in ascending order"));
            }
        }
        boolean found = false;
        if (values.size() > MAX_VALUES) {
            errors.add(FieldError.tooMany(at, values.size(), MAX_VALUES));
        } else {
            Set<String> seen = new HashSet<>();
            List<FieldError> doubles = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                JsonNode option = values.get(i);
                if (value(option).compareTo(value(capacity.path("value"))) > 0) {
                    errors.add(FieldError.invalid(
                            at + "[" + i + "]",
                            shown(option),
                            "option is larger than capacity value: "
                                    + shown(capacity.path("value")).asText()));
                }
                found |= value(option).compareTo(wanted) == 0;
                String key = value(option).setScale(0, RoundingMode.UP).toPlainString();
                if (!seen.add(key)) {
                    doubles.add(FieldError.duplicate(at + "[" + i + "]", TextNode.valueOf(key)));
                }
            }
            errors.addAll(doubles);
        }
        if (!found) {
            errors.add(FieldError.invalid(
                    at, shown(policy.path("default")), "default value is not valid according to the requestPolicy"));
        }
    }

    private void range() {
        JsonNode range = policy.path("validRange");
        String at = path + ".validRange";
        JsonNode min = range.path("min");
        JsonNode max = range.path("max");
        JsonNode step = range.path("step");
        JsonNode wanted = policy.path("default");
        JsonNode most = capacity.path("value");
        if (!range.hasNonNull("min")) {
            errors.add(FieldError.required(at + ".min", "required when validRange is defined"));
            return;
        }
        larger(min, most, at + ".min", "min is larger than capacity value: ");
        if (value(wanted).compareTo(value(min)) < 0) {
            errors.add(FieldError.invalid(
                    at + ".min",
                    shown(wanted),
                    "default is less than min: " + shown(min).asText()));
        }
        if (range.hasNonNull("max")) {
            larger(min, max, at + ".max", "min is larger than max: ");
            larger(max, most, at + ".max", "max is larger than capacity value: ");
            larger(wanted, max, at + ".max", "default is more than max: ");
        }
        if (range.hasNonNull("step")) {
            BigDecimal one = value(min).add(value(step));
            if (one.compareTo(value(most)) > 0) {
                String sum = Quantities.sum(min.asText(), step.asText());
                errors.add(FieldError.invalid(
                        at + ".step",
                        shown(step),
                        "one step " + sum + " is larger than capacity value: "
                                + shown(most).asText()));
            }
            step(wanted, min, step, at + ".step");
            if (range.hasNonNull("max")) {
                step(max, min, step, at + ".step");
            }
        }
    }

    private void larger(JsonNode value, JsonNode bound, String at, String text) {
        if (value(value).compareTo(value(bound)) > 0) {
            errors.add(FieldError.invalid(at, shown(value), text + shown(bound).asText()));
        }
    }

    private void step(JsonNode value, JsonNode min, JsonNode step, String at) {
        BigDecimal width = value(step).setScale(0, RoundingMode.UP);
        BigDecimal added =
                value(value).setScale(0, RoundingMode.UP).subtract(value(min).setScale(0, RoundingMode.UP));
        if (width.signum() != 0 && added.remainder(width).signum() != 0) {
            errors.add(FieldError.invalid(
                    at,
                    shown(value),
                    "value is not a multiple of a given step (" + shown(step).asText() + ") from ("
                            + shown(min).asText() + ")"));
        }
    }
}
