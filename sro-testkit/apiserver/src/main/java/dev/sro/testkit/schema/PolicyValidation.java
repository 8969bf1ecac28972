package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import dev.sro.core.cel.CelType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Validation of admission policies. One use. */
final class PolicyValidation {
    private static final String ONE_OF = "validations or auditAnnotations must contain at least one item";
    private static final List<String> FAILURE = List.of("\"Fail\"", "\"Ignore\"");
    private static final List<String> REASONS = List.of("\"Forbidden\"", "\"Invalid\"", "\"RequestEntityTooLarge\"");
    private static final int MAX_ANNOTATIONS = 20;
    private static final int MAX_ANNOTATION_EXPRESSION = 5 * 1024;
    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");
    private static final CelType NULL = CelType.simple(CelType.Kind.NULL);

    private final List<FieldError> errors = new ArrayList<>();

    private PolicyValidation() {}

    static List<FieldError> policy(ObjectNode policy) {
        PolicyValidation v = new PolicyValidation();
        ObjectNode spec = JsonTree.object(policy, "spec");
        v.validating(
                spec == null ? policy.objectNode() : spec,
                policy.path("metadata").path("name").asText());
        return v.errors;
    }

    static List<FieldError> mutating(ObjectNode policy) {
        PolicyValidation v = new PolicyValidation();
        ObjectNode spec = JsonTree.object(policy, "spec");
        new MutationValidation(v, v.errors).validate(spec == null ? policy.objectNode() : spec);
        return v.errors;
    }

    /** What both kinds of policies have before their match conditions. */
    void head(ObjectNode spec) {
        JsonNode failure = spec.path("failurePolicy");
        if (failure.isTextual() && !FAILURE.contains(failure.toString())) {
            errors.add(FieldError.notSupported("spec.failurePolicy", failure, FAILURE));
        }
        if (spec.path("paramKind") instanceof ObjectNode kind) {
            paramKind(kind, "spec.paramKind");
        }
        ObjectNode constraints = JsonTree.object(spec, "matchConstraints");
        if (constraints == null) {
            errors.add(FieldError.required("spec.matchConstraints", ""));
        } else {
            errors.addAll(AdmissionRuleValidation.resources(constraints, "spec.matchConstraints"));
            if (constraints.path("resourceRules").isEmpty()) {
                errors.add(FieldError.required("spec.matchConstraints.resourceRules", ""));
            }
        }
    }

    /**
     * Match conditions and variables.
     *
     * @return what further expressions may name
     */
    AdmissionTypes expressions(ObjectNode spec, boolean composed) {
        boolean params = spec.hasNonNull("paramKind");
        errors.addAll(AdmissionRuleValidation.conditions(spec, "spec", AdmissionTypes.of(params, true, false)));
        AdmissionTypes types = AdmissionTypes.of(params, true, composed);
        int i = 0;
        for (ObjectNode variable : JsonTree.objects(spec, "variables")) {
            variable(variable, "spec.variables[" + i++ + "]", types);
        }
        return types;
    }

    private void variable(ObjectNode variable, String path, AdmissionTypes types) {
        String name = JsonTree.text(variable, "name");
        if (name.isBlank()) {
            errors.add(FieldError.required(path + ".name", "name is not specified"));
        } else if (!IDENTIFIER.matches(name) || RESERVED.contains(name)) {
            errors.add(FieldError.invalid(path + ".name", TextNode.valueOf(name), "must be a valid CEL identifier"));
        }
        String source = JsonTree.text(variable, "expression");
        if (source.isBlank()) {
            errors.add(FieldError.required(path + ".expression", "expression is not specified"));
            return;
        }
        AdmissionExpressions.Compiled compiled = AdmissionExpressions.compile(source, types);
        compiled.addTo(errors, path + ".expression", source);
        types.add(name, compiled.type());
    }

    private void paramKind(ObjectNode kind, String path) {
        String version = JsonTree.text(kind, "apiVersion");
        String[] parts = version.split("/", -1);
        String at = path + ".apiVersion";
        if (version.isEmpty()) {
            errors.add(FieldError.required(at, ""));
        } else if (parts.length > 2) {
            errors.add(FieldError.invalid(at, TextNode.valueOf(version), "unexpected GroupVersion string: " + version));
        } else {
            if (parts.length == 2 && !parts[0].isEmpty() && !Names.isSubdomain(parts[0])) {
                errors.add(FieldError.invalid(at, TextNode.valueOf(parts[0]), Names.SUBDOMAIN));
            }
            String last = version.equals("/") ? "" : parts[parts.length - 1];
            if (last.isEmpty()) {
                errors.add(FieldError.invalid(at, TextNode.valueOf(version), "version must be specified"));
            } else {
                new Checks(errors).dns1035(last, at);
            }
        }
        String name = JsonTree.text(kind, "kind");
        if (name.isEmpty()) {
            errors.add(FieldError.required(path + ".kind", ""));
        } else if (!Names.isDns1035Label(name.toLowerCase(Locale.ROOT))) {
            errors.add(FieldError.invalid(
                    path + ".kind",
                    TextNode.valueOf(name),
                    "may have mixed case, but should otherwise match: " + Names.DNS1035_LABEL));
        }
    }

    private void validating(ObjectNode spec, String name) {
        head(spec);
        AdmissionTypes types = expressions(spec, !spec.path("variables").isEmpty());
        if (spec.path("validations").isEmpty() && spec.path("auditAnnotations").isEmpty()) {
            errors.add(FieldError.required("spec.validations", ONE_OF));
            errors.add(FieldError.required("spec.auditAnnotations", ONE_OF));
        }
        int i = 0;
        for (ObjectNode validation : JsonTree.objects(spec, "validations")) {
            validation(validation, "spec.validations[" + i++ + "]", types);
        }
        annotations(spec, name, types);
    }

    private void validation(ObjectNode validation, String path, AdmissionTypes types) {
        String source = JsonTree.text(validation, "expression");
        if (source.isBlank()) {
            errors.add(FieldError.required(path + ".expression", "expression is not specified"));
        } else {
            AdmissionExpressions.compile(source, types, CelType.BOOL).addTo(errors, path + ".expression", source);
        }
        String made = JsonTree.text(validation, "messageExpression");
        if (!made.isEmpty() && made.isBlank()) {
            errors.add(FieldError.invalid(
                    path + ".messageExpression", TextNode.valueOf(made), "must be non-empty if specified"));
        } else if (!made.isEmpty()) {
            AdmissionExpressions.compile(made, types.withoutAuthorizer(), CelType.STRING)
                    .addTo(errors, path + ".messageExpression", made);
        }
        String message = JsonTree.text(validation, "message");
        if (!message.isEmpty() && message.isBlank()) {
            errors.add(
                    FieldError.invalid(path + ".message", TextNode.valueOf(message), "must be non-empty if specified"));
        } else if (message.strip().contains("\n") || message.strip().contains("\r")) {
            errors.add(
                    FieldError.invalid(path + ".message", TextNode.valueOf(message), "must not contain line breaks"));
        }
        JsonNode reason = validation.path("reason");
        if (reason.isTextual() && !REASONS.contains(reason.toString())) {
            errors.add(FieldError.notSupported(path + ".reason", reason, REASONS));
        }
    }

    private void annotations(ObjectNode spec, String name, AdmissionTypes types) {
        List<ObjectNode> annotations = JsonTree.objects(spec, "auditAnnotations");
        if (annotations.size() > MAX_ANNOTATIONS) {
            errors.add(FieldError.invalid(
                    "spec.auditAnnotations",
                    spec.get("auditAnnotations"),
                    "must not have more than " + MAX_ANNOTATIONS + " auditAnnotations"));
        }
        Set<String> keys = new HashSet<>();
        int i = 0;
        for (ObjectNode annotation : annotations) {
            String path = "spec.auditAnnotations[" + i++ + "]";
            String key = JsonTree.text(annotation, "key");
            if (name.isEmpty()) {
                errors.add(FieldError.invalid(
                        path + ".key", TextNode.valueOf(key), "requires metadata.name be non-empty"));
            } else {
                DeviceNames.labelKey(name + "/" + key, path + ".key", errors);
            }
            annotation(annotation, path + ".valueExpression", types);
            if (!keys.add(key)) {
                errors.add(FieldError.duplicate(path + ".key", TextNode.valueOf(key)));
            }
        }
    }

    private void annotation(ObjectNode annotation, String path, AdmissionTypes types) {
        String source = JsonTree.text(annotation, "valueExpression");
        if (source.isBlank()) {
            errors.add(FieldError.required(path, "valueExpression is not specified"));
        } else if (source.strip().length() > MAX_ANNOTATION_EXPRESSION) {
            errors.add(FieldError.required(path, "must not exceed " + MAX_ANNOTATION_EXPRESSION + " bytes in length"));
        } else {
            AdmissionExpressions.compile(source.strip(), types, CelType.STRING, NULL)
                    .addTo(errors, path, source);
        }
    }
}
