package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Validation of the bindings of admission policies. One use. */
final class PolicyBindingValidation {
    private static final List<String> ACTIONS = List.of("\"Audit\"", "\"Deny\"", "\"Warn\"");
    private static final List<String> MISSING = List.of("\"Deny\"", "\"Allow\"");

    private final List<FieldError> errors = new ArrayList<>();

    private PolicyBindingValidation() {}

    static List<FieldError> mutating(ObjectNode binding) {
        PolicyBindingValidation v = new PolicyBindingValidation();
        v.any(binding);
        JsonNode rules = binding.path("spec").path("matchResources").path("resourceRules");
        v.errors.addAll(MutationValidation.operations(rules, "spec.matchResources.resourceRules.operations"));
        return v.errors;
    }

    static List<FieldError> validating(ObjectNode binding) {
        PolicyBindingValidation v = new PolicyBindingValidation();
        v.any(binding);
        v.actions(binding.path("spec").path("validationActions"));
        return v.errors;
    }

    private void any(ObjectNode binding) {
        JsonNode spec = binding.path("spec");
        String policy = spec.path("policyName").asText();
        if (policy.isEmpty()) {
            errors.add(FieldError.required("spec.policyName", ""));
        } else if (!Names.isSubdomain(policy)) {
            errors.add(FieldError.invalid("spec.policyName", TextNode.valueOf(policy), Names.SUBDOMAIN));
        }
        if (spec.path("paramRef") instanceof ObjectNode reference) {
            reference(reference, "spec.paramRef");
        }
        if (spec.path("matchResources") instanceof ObjectNode also) {
            errors.addAll(AdmissionRuleValidation.resources(also, "spec.matchResources"));
        }
    }

    private void reference(ObjectNode reference, String path) {
        String name = JsonTree.text(reference, "name");
        boolean selects = reference.hasNonNull("selector");
        if (!name.isEmpty()) {
            AdmissionRuleValidation.segment(name, path + ".name", errors);
            if (selects) {
                errors.add(FieldError.forbidden(path + ".name", "name and selector are mutually exclusive"));
            }
        }
        if (selects) {
            errors.addAll(SelectorValidation.validate(path + ".selector", reference.get("selector")));
            if (!name.isEmpty()) {
                errors.add(FieldError.forbidden(path + ".selector", "name and selector are mutually exclusive"));
            }
        }
        if (name.isEmpty() && !selects) {
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
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < actions.size(); i++) {
            String at = path + "[" + i + "]";
            if (!ACTIONS.contains(actions.get(i).toString())) {
                errors.add(FieldError.notSupported(at, actions.get(i), ACTIONS));
            }
            if (!seen.add(actions.get(i).asText())) {
                errors.add(FieldError.duplicate(at, actions.get(i)));
            }
        }
        if (seen.contains("Deny") && seen.contains("Warn")) {
            errors.add(FieldError.invalid(
                    path,
                    actions,
                    "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                            + " response and headers serves no purpose)"));
        }
        if (actions.isEmpty()) {
            errors.add(FieldError.required(path, "at least one validation action is required"));
        }
    }
}
