package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Validation of what MutatingAdmissionPolicies do not have in common with others. One use. */
final class MutationValidation {
    private static final String PATCH = "JSONPatch";
    private static final String APPLY = "ApplyConfiguration";
    private static final List<String> TYPES = List.of("\"" + APPLY + "\"", "\"" + PATCH + "\"");
    private static final List<String> REINVOCATION = List.of("\"IfNeeded\"", "\"Never\"");
    private static final List<String> OPERATIONS = List.of("\"*\"", "\"CONNECT\"", "\"CREATE\"", "\"UPDATE\"");

    private final PolicyValidation common;
    private final List<FieldError> errors = new ArrayList<>();

    MutationValidation(PolicyValidation common) {
        this.common = common;
    }

    /** What is wrong with it, apart from what {@code common} says itself. */
    List<FieldError> validate(ObjectNode spec) {
        Set<String> inputs = common.common(spec);
        operations(spec);
        if (spec.path("mutations").isEmpty()) {
            errors.add(FieldError.required("spec.mutations", "mutations must contain at least one item"));
        }
        int i = 0;
        for (ObjectNode mutation : JsonTree.objects(spec, "mutations")) {
            mutation(mutation, "spec.mutations[" + i++ + "]", inputs);
        }
        JsonNode again = spec.path("reinvocationPolicy");
        if (again.asText().isEmpty()) {
            errors.add(FieldError.required("spec.reinvocationPolicy", ""));
        } else if (!REINVOCATION.contains(again.toString())) {
            errors.add(FieldError.notSupported("spec.reinvocationPolicy", again, REINVOCATION));
        }
        return errors;
    }

    /** There is nothing to change in what is deleted. */
    private void operations(ObjectNode spec) {
        for (JsonNode rule : spec.path("matchConstraints").path("resourceRules")) {
            for (JsonNode operation : rule.path("operations")) {
                if (operation.asText().equals("DELETE")) {
                    errors.add(FieldError.notSupported(
                            "spec.matchConstraints.resourceRules.operations", operation, OPERATIONS));
                }
            }
        }
    }

    private void mutation(ObjectNode mutation, String path, Set<String> inputs) {
        JsonNode type = mutation.path("patchType");
        if (type.asText().isEmpty()) {
            errors.add(FieldError.required(path + ".patchType", ""));
        } else if (!TYPES.contains(type.toString())) {
            errors.add(FieldError.notSupported(path + ".patchType", type, TYPES));
        } else {
            boolean patch = type.asText().equals(PATCH);
            String field = patch ? "jsonPatch" : "applyConfiguration";
            String other = patch ? "applyConfiguration" : "jsonPatch";
            if (mutation.get(field) instanceof ObjectNode content) {
                expression(content, path + "." + field + ".expression", patch, inputs);
            } else {
                errors.add(FieldError.required(
                        path + "." + field, "must be specified when patchType is " + type.asText()));
            }
            if (mutation.hasNonNull(other)) {
                errors.add(FieldError.invalid(
                        path + "." + other,
                        TextNode.valueOf("{" + other + "}"),
                        "must not be specified when patchType is " + type.asText()));
            }
        }
    }

    private void expression(ObjectNode of, String path, boolean patch, Set<String> inputs) {
        String source = JsonTree.text(of, "expression");
        if (source.isBlank()) {
            errors.add(FieldError.required(path, ""));
            return;
        }
        String fault = AdmissionExpressions.mutationFault(source, patch, inputs);
        if (!fault.isEmpty()) {
            errors.add(FieldError.invalid(path, TextNode.valueOf(source), fault));
        }
    }
}
