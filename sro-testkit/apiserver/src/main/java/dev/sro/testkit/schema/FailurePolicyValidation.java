package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of what a Job does about pods that failed. One use. */
final class FailurePolicyValidation {
    private static final int MAX_RULES = 20;
    private static final int MAX_CODES = 255;

    private final Checks checks = new Checks(new ArrayList<>());
    private final Set<String> containers = new HashSet<>();

    private FailurePolicyValidation() {}

    static List<FieldError> validate(JsonNode policy, ObjectNode pod, boolean perIndex, String path) {
        FailurePolicyValidation v = new FailurePolicyValidation();
        for (String list : List.of("containers", "initContainers")) {
            JsonTree.objects(pod, list).forEach(one -> v.containers.add(JsonTree.text(one, "name")));
        }
        List<ObjectNode> rules = JsonTree.objects(policy, "rules");
        if (rules.size() > MAX_RULES) {
            v.checks.add(FieldError.tooMany(path + ".rules", rules.size(), MAX_RULES));
        }
        for (int i = 0; i < rules.size(); i++) {
            v.rule(rules.get(i), perIndex, path + ".rules[" + i + "]");
        }
        return v.checks.errors();
    }

    private void rule(ObjectNode rule, boolean perIndex, String at) {
        String action = JsonTree.text(rule, "action");
        if (action.isEmpty()) {
            checks.required(at + ".action", "valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]");
        } else if (action.equals("FailIndex") && !perIndex) {
            checks.invalid(at + ".action", action, "requires the backoffLimitPerIndex to be set");
        } else {
            checks.oneOf(rule, "action", at, "Count", "FailIndex", "FailJob", "Ignore");
        }
        List<ObjectNode> conditions = JsonTree.objects(rule, "onPodConditions");
        boolean codes = rule.path("onExitCodes").isObject();
        if (codes) {
            codes(rule.path("onExitCodes"), at + ".onExitCodes");
        }
        for (int i = 0; i < conditions.size(); i++) {
            condition(conditions.get(i), at + ".onPodConditions[" + i + "]");
        }
        if (codes && !conditions.isEmpty()) {
            checks.add(
                    FieldError.invalid(at, null, "specifying both OnExitCodes and OnPodConditions is not supported"));
        } else if (!codes && conditions.isEmpty()) {
            checks.add(FieldError.invalid(at, null, "specifying one of OnExitCodes and OnPodConditions is required"));
        }
    }

    private void condition(ObjectNode condition, String at) {
        checks.labelKey(JsonTree.text(condition, "type"), at + ".type");
        if (JsonTree.text(condition, "status").isEmpty()) {
            checks.required(at + ".status", "valid values: [\"False\" \"True\" \"Unknown\"]");
        } else {
            checks.oneOf(condition, "status", at, "False", "True", "Unknown");
        }
    }

    private void codes(JsonNode rule, String at) {
        String operator = JsonTree.text(rule, "operator");
        if (operator.isEmpty()) {
            checks.required(at + ".operator", "valid values: [\"In\" \"NotIn\"]");
        } else {
            checks.oneOf(rule, "operator", at, "In", "NotIn");
        }
        JsonNode name = rule.path("containerName");
        if (name.isTextual() && !containers.contains(name.asText())) {
            checks.invalid(
                    at + ".containerName",
                    name,
                    "must be one of the container or initContainer names in the pod template");
        }
        values(rule.path("values"), operator.equals("In"), at + ".values");
    }

    private void values(JsonNode values, boolean in, String at) {
        if (values.isEmpty()) {
            checks.invalid(at, values.isArray() ? values : NullNode.getInstance(), "at least one value is required");
        } else if (values.size() > MAX_CODES) {
            checks.add(FieldError.tooMany(at, values.size(), MAX_CODES));
        }
        Set<Integer> seen = new HashSet<>();
        boolean ordered = true;
        for (int i = 0; i < values.size(); i++) {
            int value = values.get(i).asInt();
            if (in && value == 0) {
                checks.invalid(at + "[" + i + "]", IntNode.valueOf(0), "must not be 0 for the In operator");
            }
            if (!seen.add(value)) {
                checks.add(FieldError.duplicate(at + "[" + i + "]", IntNode.valueOf(value)));
            }
            ordered &= i == 0 || values.get(i - 1).asInt() <= value;
        }
        if (!ordered) {
            checks.invalid(at, values, "must be ordered");
        }
    }
}
