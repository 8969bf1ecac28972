package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of HorizontalPodAutoscalers in version 2. One use. */
final class AutoscalerValidation {
    private static final int LONGEST_WINDOW = 3600;
    private static final int LONGEST_PERIOD = 1800;
    private static final String SOURCE = "must populate information for the given metric source";
    /** Fields of the kinds of metrics. */
    private static final Map<String, String> FIELDS = Map.of(
            "ContainerResource", "containerResource",
            "External", "external",
            "Object", "object",
            "Pods", "pods",
            "Resource", "resource");

    private static final List<String> IN_ORDER = List.of("object", "external", "pods", "resource", "containerResource");

    private final Checks checks = new Checks(new ArrayList<>());

    private AutoscalerValidation() {}

    static List<FieldError> validate(ObjectNode object) {
        AutoscalerValidation v = new AutoscalerValidation();
        v.spec(object.path("spec"));
        return v.checks.errors();
    }

    private void spec(JsonNode spec) {
        JsonNode min = spec.path("minReplicas");
        JsonNode max = spec.path("maxReplicas");
        if (min.isNumber() && min.asLong() < 1) {
            checks.invalid("spec.minReplicas", min, "must be greater than or equal to 1");
        }
        if (max.asLong() == 0) {
            checks.required("spec.maxReplicas", "must be set and greater than 0");
        } else if (max.asLong() < 1) {
            checks.invalid("spec.maxReplicas", max, "must be greater than 0");
        }
        if (min.isNumber() && max.asLong() < min.asLong()) {
            checks.invalid(
                    "spec.maxReplicas", max.isNumber() ? max : null, "must be greater than or equal to `minReplicas`");
        }
        reference(spec.path("scaleTargetRef"), "spec.scaleTargetRef");
        List<ObjectNode> metrics = JsonTree.objects(spec, "metrics");
        boolean outside = metrics.stream()
                .anyMatch(metric -> List.of("Object", "External").contains(JsonTree.text(metric, "type")));
        if (min.isNumber() && min.asLong() == 0 && !outside) {
            checks.forbidden(
                    "spec.metrics",
                    "must specify at least one Object or External metric to support scaling to zero replicas");
        }
        for (int i = 0; i < metrics.size(); i++) {
            metric(metrics.get(i), "spec.metrics[" + i + "]");
        }
        for (String direction : List.of("scaleUp", "scaleDown")) {
            if (spec.path("behavior").get(direction) instanceof ObjectNode rules) {
                rules(rules, "spec.behavior." + direction);
            }
        }
    }

    private void reference(JsonNode reference, String at) {
        checks.presentSegment(reference, "kind", at);
        checks.presentSegment(reference, "name", at);
        String version = JsonTree.text(reference, "apiVersion");
        boolean core = version.equals("v1") && JsonTree.text(reference, "kind").equals("ReplicationController");
        if (!version.contains("/") && !core) {
            checks.invalid(at + ".apiVersion", version, "apiVersion must specify API group");
        } else if (version.indexOf('/') != version.lastIndexOf('/')) {
            checks.invalid(at + ".apiVersion", version, "unexpected GroupVersion string: " + version);
        }
    }

    private void metric(ObjectNode metric, String at) {
        String type = JsonTree.text(metric, "type");
        if (type.isEmpty()) {
            checks.required(at + ".type", "must specify a metric source type");
        }
        if (!FIELDS.containsKey(type)) {
            String[] types = FIELDS.keySet().stream().sorted().toArray(String[]::new);
            checks.notSupported(at + ".type", type, types);
            // Said once of the type, and once when the source was looked for.
            checks.notSupported(at + ".type", type, types);
        }
        List<String> present = new ArrayList<>();
        for (String field : IN_ORDER) {
            if (metric.get(field) instanceof ObjectNode source) {
                present.add(field);
                if (present.size() == 1) {
                    source(source, field, at + "." + field);
                }
            }
        }
        String expected = FIELDS.getOrDefault(type, "");
        if (!expected.isEmpty() && !present.contains(expected)) {
            checks.required(at + "." + expected, SOURCE);
        }
        if (present.size() != 1) {
            present.remove(expected);
            present.forEach(field -> checks.forbidden(at + "." + field, "must populate the given metric source only"));
        }
    }

    private void source(ObjectNode source, String field, String at) {
        JsonNode target = source.path("target");
        boolean value = target.hasNonNull("value");
        boolean average = target.hasNonNull("averageValue");
        boolean utilization = target.hasNonNull("averageUtilization");
        switch (field) {
            case "object" -> {
                reference(source.path("describedObject"), at + ".describedObject");
                identifier(source.path("metric"), at + ".metric");
                target(target, at + ".target");
                if (!value && !average) {
                    checks.required(
                            at + ".target.averageValue",
                            "must set either a target value for metric or a per-pod target");
                }
            }
            case "external" -> {
                identifier(source.path("metric"), at + ".metric");
                target(target, at + ".target");
                if (!value && !average) {
                    checks.required(
                            at + ".target.averageValue",
                            "must set either a target value for metric or a per-pod target");
                }
                if (value && average) {
                    checks.forbidden(
                            at + ".target.value", "may not set both a target value for metric and a per-pod target");
                }
            }
            case "pods" -> {
                identifier(source.path("metric"), at + ".metric");
                target(target, at + ".target");
                if (!average || Checks.sign(target.path("averageValue")) != 1) {
                    checks.required(at + ".target.averageValue", "must specify a positive target averageValue");
                }
            }
            default -> {
                if (JsonTree.text(source, "name").isEmpty()) {
                    checks.required(at + ".name", "must specify a resource name");
                }
                if (field.equals("containerResource")
                        && JsonTree.text(source, "container").isEmpty()) {
                    checks.required(at + ".container", "must specify a container");
                }
                target(target, at + ".target");
                if (!utilization && !average) {
                    checks.required(
                            at + ".target.averageUtilization",
                            "must set either a target raw value or a target utilization");
                }
                if (utilization && average) {
                    checks.forbidden(
                            at + ".target.averageValue",
                            "may not set both a target raw value and a target utilization");
                }
            }
        }
    }

    private void identifier(JsonNode metric, String at) {
        String name = JsonTree.text(metric, "name");
        if (name.isEmpty()) {
            checks.required(at + ".name", "must specify a metric name");
        } else {
            checks.pathSegment(name, at + ".name");
        }
    }

    private void target(JsonNode target, String at) {
        String type = JsonTree.text(target, "type");
        if (type.isEmpty()) {
            checks.required(at + ".type", "must specify a metric target type");
        }
        if (!Set.of("Utilization", "Value", "AverageValue").contains(type)) {
            checks.invalid(at + ".type", type, "must be either Utilization, Value, or AverageValue");
        }
        for (String field : List.of("value", "averageValue")) {
            JsonNode amount = target.path(field);
            if (amount.isTextual() && Checks.sign(amount) != 1) {
                checks.invalid(at + "." + field, amount, "must be positive");
            }
        }
        JsonNode utilization = target.path("averageUtilization");
        if (utilization.isNumber() && utilization.asLong() < 1) {
            checks.invalid(at + ".averageUtilization", utilization, "must be greater than 0");
        }
    }

    private void rules(ObjectNode rules, String at) {
        JsonNode window = rules.path("stabilizationWindowSeconds");
        if (window.asLong() < 0) {
            checks.invalid(at + ".stabilizationWindowSeconds", window, "must be greater than or equal to zero");
        }
        if (window.asLong() > LONGEST_WINDOW) {
            checks.invalid(
                    at + ".stabilizationWindowSeconds", window, "must be less than or equal to " + LONGEST_WINDOW);
        }
        checks.oneOf(rules, "selectPolicy", at, "Disabled", "Max", "Min");
        List<ObjectNode> policies = JsonTree.objects(rules, "policies");
        if (policies.isEmpty()) {
            checks.required(at + ".policies", "must specify at least one Policy");
        }
        for (int i = 0; i < policies.size(); i++) {
            ObjectNode policy = policies.get(i);
            String path = at + ".policies[" + i + "]";
            checks.oneOf(policy, "type", path, "Percent", "Pods");
            positive(policy, "value", path);
            positive(policy, "periodSeconds", path);
            if (policy.path("periodSeconds").asLong() > LONGEST_PERIOD) {
                checks.invalid(
                        path + ".periodSeconds",
                        policy.get("periodSeconds"),
                        "must be less than or equal to " + LONGEST_PERIOD);
            }
        }
    }

    private void positive(ObjectNode policy, String field, String at) {
        if (policy.path(field).asLong() <= 0) {
            checks.invalid(at + "." + field, policy.get(field), "must be greater than zero");
        }
    }
}
