package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;

/** Validation of what MutatingAdmissionPolicies do not have in common with others. One use. */
final class MutationValidation {
    private static final String PATCH = "JSONPatch";
    private static final String APPLY = "ApplyConfiguration";
    private static final List<String> TYPES = List.of("\"" + APPLY + "\"", "\"" + PATCH + "\"");
    private static final List<String> REINVOCATION = List.of("\"IfNeeded\"", "\"Never\"");
    private static final List<String> OPERATIONS = List.of("\"*\"", "\"CONNECT\"", "\"CREATE\"", "\"UPDATE\"");

    private final PolicyValidation common;
    private final List<FieldError> errors;

    /** @param errors which are added to */
    MutationValidation(PolicyValidation common, List<FieldError> errors) {
        this.common = common;
        this.errors = errors;
    }

    void validate(ObjectNode spec) {
        common.head(spec);
        errors.addAll(operations(
                spec.path("matchConstraints").path("resourceRules"), "spec.matchConstraints.resourceRules.operations"));
        AdmissionTypes inputs = common.expressions(spec, true);
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
    }

    /** There is nothing to change in what is deleted. */
    static List<FieldError> operations(JsonNode rules, String path) {
        List<FieldError> errors = new ArrayList<>();
        for (JsonNode rule : rules) {
            for (JsonNode operation : rule.path("operations")) {
                if (!OPERATIONS.contains(operation.toString())) {
                    errors.add(FieldError.notSupported(path, operation, OPERATIONS));
                }
            }
        }
        return errors;
    }

    private void mutation(ObjectNode mutation, String path, AdmissionTypes inputs) {
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

    private void expression(ObjectNode of, String path, boolean patch, AdmissionTypes inputs) {
        String source = JsonTree.text(of, "expression").strip();
        if (source.isBlank()) {
            errors.add(FieldError.required(path, ""));
            return;
        }
        AdmissionExpressions.compileMutation(source, patch, inputs).addTo(errors, path, source);
    }
}
