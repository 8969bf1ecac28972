package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.core.cel.CelType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Validation of admission policies and their bindings. */
final class PolicyValidation {
    private static final String ONE_OF = "validations or auditAnnotations must contain at least one item";
    private static final List<String> FAILURE = List.of("\"Fail\"", "\"Ignore\"");
    private static final List<String> ACTIONS = List.of("\"Audit\"", "\"Deny\"", "\"Warn\"");
    private static final List<String> MISSING = List.of("\"Deny\"", "\"Allow\"");
    private static final List<String> REASONS = List.of("\"Forbidden\"", "\"Invalid\"", "\"RequestEntityTooLarge\"");

    private final List<FieldError> errors = new ArrayList<>();

    private PolicyValidation() {}

    static List<FieldError> policy(ObjectNode policy) {
        PolicyValidation v = new PolicyValidation();
        ObjectNode spec = JsonTree.object(policy, "spec");
        v.validating(spec == null ? policy.objectNode() : spec);
        return v.errors;
    }

    static List<FieldError> mutating(ObjectNode policy) {
        PolicyValidation v = new PolicyValidation();
        ObjectNode spec = JsonTree.object(policy, "spec");
        v.errors.addAll(new MutationValidation(v).validate(spec == null ? policy.objectNode() : spec));
        return v.errors;
    }

    /**
     * What both kinds of policies have.
     *
     * @return the names that further expressions may use
     */
    Set<String> common(ObjectNode spec) {
        JsonNode failure = spec.path("failurePolicy");
        if (failure.isTextual() && !FAILURE.contains(failure.toString())) {
            errors.add(FieldError.notSupported("spec.failurePolicy", failure, FAILURE));
        }
        Set<String> inputs =
                new HashSet<>(Set.of("object", "oldObject", "request", "namespaceObject", "authorizer", "variables"));
        if (spec.hasNonNull("paramKind")) {
            inputs.add("params");
        }
        ObjectNode constraints = JsonTree.object(spec, "matchConstraints");
        if (constraints == null) {
            errors.add(FieldError.required("spec.matchConstraints", ""));
        } else {
            resources(constraints, "spec.matchConstraints");
            if (constraints.path("resourceRules").isEmpty()) {
                errors.add(FieldError.required("spec.matchConstraints.resourceRules", ""));
            }
        }
        errors.addAll(AdmissionRuleValidation.conditions(spec, "spec", inputs));
        int i = 0;
        for (ObjectNode variable : JsonTree.objects(spec, "variables")) {
            String at = "spec.variables[" + i++ + "]";
            if (JsonTree.text(variable, "name").isEmpty()) {
                errors.add(FieldError.required(at + ".name", "name is not specified"));
            }
            AdmissionRuleValidation.expression(
                    variable, at, CelType.DYN, inputs, "expression is not specified", errors);
        }
        return inputs;
    }

    private void validating(ObjectNode spec) {
        Set<String> inputs = common(spec);
        if (spec.path("validations").isEmpty() && spec.path("auditAnnotations").isEmpty()) {
            errors.add(FieldError.required("spec.validations", ONE_OF));
            errors.add(FieldError.required("spec.auditAnnotations", ONE_OF));
        }
        int i = 0;
        for (ObjectNode validation : JsonTree.objects(spec, "validations")) {
            validation(validation, "spec.validations[" + i++ + "]", inputs);
        }
    }

    private void resources(ObjectNode constraints, String path) {
        errors.addAll(AdmissionRuleValidation.selectors(constraints, path));
        for (String field : List.of("resourceRules", "excludeResourceRules")) {
            int i = 0;
            for (ObjectNode rule : JsonTree.objects(constraints, field)) {
                errors.addAll(AdmissionRuleValidation.validate(rule, path + "." + field + "[" + i++ + "]"));
            }
        }
    }

    private void validation(ObjectNode validation, String path, Set<String> inputs) {
        AdmissionRuleValidation.expression(
                validation, path, CelType.BOOL, inputs, "expression is not specified", errors);
        String made = JsonTree.text(validation, "messageExpression");
        String fault = made.isBlank() ? "" : AdmissionExpressions.fault(made, CelType.STRING, inputs);
        if (!fault.isEmpty()) {
            errors.add(FieldError.invalid(path + ".messageExpression", TextNode.valueOf(made), fault));
        }
        String message = JsonTree.text(validation, "message");
        if (message.strip().contains("\n")) {
            errors.add(FieldError.invalid(
                    path + ".message", TextNode.valueOf(message), "message must not contain line breaks"));
        } else if (message.isBlank()
                && JsonTree.text(validation, "expression").strip().contains("\n")) {
            errors.add(FieldError.required(
                    path + ".message", "message must be specified if expression contains line breaks"));
        }
        JsonNode reason = validation.path("reason");
        if (reason.isTextual() && !REASONS.contains(reason.toString())) {
            errors.add(FieldError.notSupported(path + ".reason", reason, REASONS));
        }
    }

    static List<FieldError> mutatingBinding(ObjectNode binding) {
        PolicyValidation v = new PolicyValidation();
        v.anyBinding(binding);
        return v.errors;
    }

    static List<FieldError> binding(ObjectNode binding) {
        PolicyValidation v = new PolicyValidation();
        v.anyBinding(binding);
        v.actions(binding.path("spec").path("validationActions"));
        return v.errors;
    }

    private void anyBinding(ObjectNode binding) {
        JsonNode spec = binding.path("spec");
        if (spec.path("policyName").asText().isEmpty()) {
            errors.add(FieldError.required("spec.policyName", ""));
        }
        if (spec.path("paramRef") instanceof ObjectNode reference) {
            reference(reference, "spec.paramRef");
        }
        if (spec.path("matchResources") instanceof ObjectNode also) {
            resources(also, "spec.matchResources");
        }
    }

    private void reference(ObjectNode reference, String path) {
        boolean named = !JsonTree.text(reference, "name").isEmpty();
        boolean selects = reference.hasNonNull("selector");
        if (named && selects) {
            for (String field : List.of("name", "selector")) {
                errors.add(FieldError.forbidden(path + "." + field, "name and selector are mutually exclusive"));
            }
        } else if (!named && !selects) {
            errors.add(FieldError.required(path, "one of name or selector must be specified"));
        }
        JsonNode missing = reference.path("parameterNotFoundAction");
        if (missing.asText().isEmpty()) {
            errors.add(FieldError.required(path + ".parameterNotFoundAction", ""));
        } else if (!MISSING.contains(missing.toString())) {
            errors.add(FieldError.notSupported(path + ".parameterNotFoundAction", missing, MISSING));
        }
    }

    private void actions(JsonNode actions) {
        String path = "spec.validationActions";
        if (actions.isEmpty()) {
            errors.add(FieldError.required(path, "at least one validation action is required"));
        }
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < actions.size(); i++) {
            if (!ACTIONS.contains(actions.get(i).toString())) {
                errors.add(FieldError.notSupported(path + "[" + i + "]", actions.get(i), ACTIONS));
            } else if (!seen.add(actions.get(i).asText())) {
                errors.add(FieldError.duplicate(path + "[" + i + "]", actions.get(i)));
            }
        }
        if (seen.contains("Deny") && seen.contains("Warn")) {
            errors.add(FieldError.invalid(
                    path,
                    actions,
                    "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                            + " response and headers serves no purpose)"));
        }
    }
}
