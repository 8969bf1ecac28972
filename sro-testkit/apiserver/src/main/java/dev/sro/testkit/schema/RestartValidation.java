package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of when a container is started again: by its own policy, by the code that it ended with, when it gets other resources. Not thread-safe. */
final class RestartValidation {
    private static final int MAX_RULES = 20;
    private static final int MAX_CODES = 255;

    private final Checks checks;

    RestartValidation(Checks checks) {
        this.checks = checks;
    }

    void policy(ObjectNode container, String at) {
        List<ObjectNode> rules = JsonTree.objects(container, "restartPolicyRules");
        if (container.hasNonNull("restartPolicy")) {
            checks.oneOf(container, "restartPolicy", at, "Always", "Never", "OnFailure");
        } else if (!rules.isEmpty()) {
            checks.required(at + ".restartPolicy", "must specify restartPolicy when restart rules are used");
        }
        if (rules.size() > MAX_RULES) {
            checks.add(FieldError.tooMany(at + ".restartPolicyRules", rules.size(), MAX_RULES));
        }
        for (int i = 0; i < rules.size(); i++) {
            rule(rules.get(i), at + ".restartPolicyRules[" + i + "]");
        }
    }

    private void rule(ObjectNode rule, String at) {
        String action = JsonTree.text(rule, "action");
        if (!List.of("Restart", "RestartAllContainers").contains(action)) {
            checks.notSupported(at + ".action", action, "Restart", "RestartAllContainers");
        }
        if (!(rule.get("exitCodes") instanceof ObjectNode codes)) {
            checks.required(at + ".exitCodes", "must be specified");
            return;
        }
        String operator = JsonTree.text(codes, "operator");
        if (!List.of("In", "NotIn").contains(operator)) {
            checks.notSupported(at + ".exitCodes.operator", operator, "In", "NotIn");
        }
        if (codes.path("values").size() > MAX_CODES) {
            checks.add(FieldError.tooMany(
                    at + ".exitCodes.values", codes.path("values").size(), MAX_CODES));
        }
    }

    /**
     * @param never whether the pod's containers are not started again
     * @param at of the container
     */
    void resize(ObjectNode container, boolean never, String at) {
        String path = at + ".resizePolicy";
        List<ObjectNode> policies = JsonTree.objects(container, "resizePolicy");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < policies.size(); i++) {
            String resource = JsonTree.text(policies.get(i), "resourceName");
            if (!seen.add(resource)) {
                checks.add(FieldError.duplicate(path + "[" + i + "]", TextNode.valueOf(resource)));
            }
            one(resource, path, "cpu", "memory");
            String restart = JsonTree.text(policies.get(i), "restartPolicy");
            one(restart, path, "NotRequired", "RestartContainer");
            if (never && !restart.equals("NotRequired")) {
                checks.invalid(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
            }
        }
    }

    private void one(String value, String path, String... known) {
        if (value.isEmpty()) {
            checks.required(path, "");
        } else if (!List.of(known).contains(value)) {
            checks.notSupported(path, value, known);
        }
    }

    /** Of an init container that ends before the others begin. */
    void resizeOfInit(JsonNode container, String at) {
        List<ObjectNode> policies = JsonTree.objects(container, "resizePolicy");
        for (int i = 0; i < policies.size(); i++) {
            if (JsonTree.text(policies.get(i), "restartPolicy").equals("RestartContainer")) {
                checks.invalid(
                        at + ".resizePolicy[" + i + "].restartPolicy",
                        "RestartContainer",
                        "must not be set to 'RestartContainer' for non-sidecar initContainers");
            }
        }
    }
}
