package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Validation of LimitRanges. One use. */
final class LimitRangeValidation {
    private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");
    private static final BigDecimal SMALL = BigDecimal.valueOf(1 << 20);

    private final Checks checks = new Checks(new ArrayList<>());

    private LimitRangeValidation() {}

    static List<FieldError> validate(ObjectNode object) {
        LimitRangeValidation v = new LimitRangeValidation();
        List<ObjectNode> limits = JsonTree.objects(object.path("spec"), "limits");
        Set<String> types = new HashSet<>();
        for (int i = 0; i < limits.size(); i++) {
            String at = "spec.limits[" + i + "]";
            String type = JsonTree.text(limits.get(i), "type");
            v.type(type, at + ".type");
            if (!types.add(type)) {
                v.checks.add(FieldError.duplicate(at + ".type", TextNode.valueOf(type)));
            }
            v.limit(limits.get(i), type, at);
        }
        return v.checks.errors();
    }

    private void type(String type, String at) {
        int before = checks.errors().size();
        checks.labelKey(type, at);
        if (checks.errors().size() == before && !type.contains("/") && !TYPES.contains(type)) {
            checks.invalid(at, type, "must be a standard limit type or fully qualified");
        }
    }

    private void limit(ObjectNode limit, String type, String at) {
        Set<String> names = new TreeSet<>();
        for (String field : List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")) {
            if (type.equals("Pod") && field.startsWith("default")) {
                if (!limit.path(field).isEmpty()) {
                    checks.forbidden(at + "." + field, "may not be specified when `type` is 'Pod'");
                }
                continue;
            }
            limit.path(field).fieldNames().forEachRemaining(name -> {
                String path = at + "." + field + "[" + name + "]";
                names.add(name);
                if (type.equals("Pod") || type.equals("Container")) {
                    ResourceNames.ofContainers(name, path, checks);
                } else {
                    ResourceNames.known(name, path, checks);
                }
            });
        }
        if (type.equals("PersistentVolumeClaim")
                && !limit.path("min").has("storage")
                && !limit.path("max").has("storage")) {
            checks.required(
                    at + ".limits", "either minimum or maximum storage value is required, but neither was provided");
        }
        names.forEach(name -> amounts(limit, name, at));
    }

    private void amounts(ObjectNode limit, String name, String at) {
        order(limit, name, at, "min", "min", "max", "min value %s is greater than max value %s");
        order(
                limit,
                name,
                at,
                "defaultRequest",
                "min",
                "defaultRequest",
                "min value %s is greater than default request value %s");
        order(
                limit,
                name,
                at,
                "defaultRequest",
                "defaultRequest",
                "max",
                "default request value %s is greater than max value %s");
        order(
                limit,
                name,
                at,
                "defaultRequest",
                "defaultRequest",
                "default",
                "default request value %s is greater than default limit value %s");
        order(limit, name, at, "default", "min", "default", "min value %s is greater than default value %s");
        order(limit, name, at, "default", "default", "max", "default value %s is greater than max value %s");
        ratio(limit, name, at + ".maxLimitRequestRatio[" + name + "]");
        JsonNode usual = limit.path("default").path(name);
        JsonNode asked = limit.path("defaultRequest").path(name);
        boolean strict = ResourceNames.isExtended(name) || name.startsWith(ResourceNames.HUGE_PAGES);
        if (strict && usual.isTextual() && asked.isTextual() && compare(usual, asked) != 0) {
            checks.invalid(
                    at + ".defaultRequest[" + name + "]",
                    asked,
                    "default value " + usual.asText() + " must equal to defaultRequest value " + asked.asText() + " in "
                            + name);
        }
    }

    /** What is shown as wrong: mostly the field itself. */
    private static String shown(String field, String less, String more) {
        if (field.equals("default")) {
            return less.equals("min") ? "min" : "max";
        }
        return more.equals("defaultRequest") ? more : less;
    }

    private void order(ObjectNode limit, String name, String at, String field, String less, String more, String text) {
        JsonNode small = limit.path(less).path(name);
        JsonNode large = limit.path(more).path(name);
        if (small.isTextual() && large.isTextual() && compare(small, large) > 0) {
            checks.invalid(
                    at + "." + field + "[" + name + "]",
                    limit.path(shown(field, less, more)).path(name),
                    String.format(Locale.ROOT, text, small.asText(), large.asText()));
        }
    }

    private static int compare(JsonNode one, JsonNode other) {
        return value(one).compareTo(value(other));
    }

    private static BigDecimal value(JsonNode quantity) {
        Optional<BigDecimal> value = Quantities.value(quantity.asText());
        return value.orElse(BigDecimal.ZERO);
    }

    private void ratio(ObjectNode limit, String name, String at) {
        JsonNode ratio = limit.path("maxLimitRequestRatio").path(name);
        if (!ratio.isTextual()) {
            return;
        }
        if (value(ratio).compareTo(BigDecimal.ONE) < 0) {
            checks.invalid(at, ratio, "ratio " + ratio.asText() + " is less than 1");
        }
        BigDecimal min = value(limit.path("min").path(name));
        BigDecimal max = value(limit.path("max").path(name));
        if (min.signum() <= 0 || max.signum() <= 0) {
            return;
        }
        boolean small = value(ratio).compareTo(SMALL) < 0 && min.compareTo(SMALL) < 0 && max.compareTo(SMALL) < 0;
        BigDecimal scale = small ? BigDecimal.valueOf(1000) : BigDecimal.ONE;
        double most = whole(max.multiply(scale)) / whole(min.multiply(scale));
        double given = whole(value(ratio).multiply(scale)) / (small ? 1000 : 1);
        if (given > most) {
            checks.invalid(
                    at,
                    ratio,
                    String.format(Locale.ROOT, "ratio %s is greater than max/min = %f", ratio.asText(), most));
        }
    }

    private static double whole(BigDecimal value) {
        return value.setScale(0, RoundingMode.UP).doubleValue();
    }
}
