package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.core.cel.CelType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of what webhooks and admission policies have in common: rules, selectors, match conditions. Stateless. */
final class AdmissionRuleValidation {
    private static final int MAX_CONDITIONS = 64;
    private static final List<String> OPERATIONS =
            List.of("\"*\"", "\"CONNECT\"", "\"CREATE\"", "\"DELETE\"", "\"UPDATE\"");
    private static final List<String> SCOPES = List.of("\"*\"", "\"Cluster\"", "\"Namespaced\"");
    private static final List<String> MATCH = List.of("\"Equivalent\"", "\"Exact\"");

    private AdmissionRuleValidation() {}

    static List<FieldError> validate(ObjectNode rule, String path) {
        List<FieldError> errors = new ArrayList<>();
        JsonNode operations = rule.path("operations");
        list(operations, path + ".operations", "operations", errors);
        for (int i = 0; i < operations.size(); i++) {
            if (!OPERATIONS.contains(operations.get(i).toString())) {
                errors.add(FieldError.notSupported(path + ".operations[" + i + "]", operations.get(i), OPERATIONS));
            }
        }
        list(rule.path("apiGroups"), path + ".apiGroups", "API groups", errors);
        JsonNode versions = rule.path("apiVersions");
        list(versions, path + ".apiVersions", "API versions", errors);
        for (int i = 0; i < versions.size(); i++) {
            if (versions.get(i).asText().isEmpty()) {
                errors.add(FieldError.required(path + ".apiVersions[" + i + "]", ""));
            }
        }
        resources(rule.path("resources"), path + ".resources", errors);
        JsonNode scope = rule.path("scope");
        if (scope.isTextual() && !SCOPES.contains(scope.toString())) {
            errors.add(FieldError.notSupported(path + ".scope", scope, SCOPES));
        }
        return errors;
    }

    private static void list(JsonNode values, String path, String what, List<FieldError> errors) {
        if (values.isEmpty()) {
            errors.add(FieldError.required(path, ""));
        } else if (values.size() > 1 && contains(values, "*")) {
            errors.add(FieldError.invalid(path, values, "if '*' is present, must not specify other " + what));
        }
    }

    private static boolean contains(JsonNode values, String wanted) {
        for (JsonNode value : values) {
            if (value.asText().equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    private static void resources(JsonNode resources, String path, List<FieldError> errors) {
        if (resources.isEmpty()) {
            errors.add(FieldError.required(path, ""));
        }
        Set<String> allBelow = new HashSet<>();
        Set<String> everywhere = new HashSet<>();
        boolean plain = false;
        for (int i = 0; i < resources.size(); i++) {
            String text = resources.get(i).asText();
            String at = path + "[" + i + "]";
            if (text.isEmpty()) {
                errors.add(FieldError.required(at, ""));
                continue;
            }
            String[] parts = text.split("/", 2);
            if (parts.length == 1) {
                plain = !text.equals("*");
                continue;
            }
            if (allBelow.contains(parts[0])) {
                covered(at, parts[0] + "/*", text, errors);
            }
            if (everywhere.contains(parts[1])) {
                covered(at, "*/" + parts[1], text, errors);
            }
            if (parts[1].equals("*")) {
                allBelow.add(parts[0]);
            }
            if (parts[0].equals("*")) {
                everywhere.add(parts[1]);
            }
        }
        if (resources.size() > 1 && contains(resources, "*/*")) {
            errors.add(FieldError.invalid(path, resources, "if '*/*' is present, must not specify other resources"));
        }
        if (contains(resources, "*") && plain) {
            errors.add(FieldError.invalid(
                    path, resources, "if '*' is present, must not specify other resources without subresources"));
        }
    }

    private static void covered(String at, String by, String text, List<FieldError> errors) {
        errors.add(
                FieldError.invalid(at, TextNode.valueOf(text), "if '" + by + "' is present, must not specify " + text));
    }

    /** The selectors of a webhook or of match resources. */
    static List<FieldError> selectors(ObjectNode who, String path) {
        List<FieldError> errors = new ArrayList<>();
        for (String field : List.of("namespaceSelector", "objectSelector")) {
            errors.addAll(SelectorValidation.validate(path + "." + field, who.get(field)));
        }
        return errors;
    }

    /** Which resources a policy or a binding is about. */
    static List<FieldError> resources(ObjectNode match, String path) {
        List<FieldError> errors = new ArrayList<>();
        JsonNode policy = match.path("matchPolicy");
        if (policy.isTextual() && !MATCH.contains(policy.toString())) {
            errors.add(FieldError.notSupported(path + ".matchPolicy", policy, MATCH));
        }
        errors.addAll(selectors(match, path));
        for (String field : List.of("resourceRules", "excludeResourceRules")) {
            int i = 0;
            for (ObjectNode rule : JsonTree.objects(match, field)) {
                String at = path + "." + field + "[" + i++ + "]";
                names(rule.path("resourceNames"), at + ".resourceNames", errors);
                errors.addAll(validate(rule, at));
            }
        }
        return errors;
    }

    private static void names(JsonNode names, String path, List<FieldError> errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            String at = path + "[" + i + "]";
            segment(names.get(i).asText(), at, errors);
            if (!seen.add(names.get(i).asText())) {
                errors.add(FieldError.duplicate(at, names.get(i)));
            }
        }
    }

    /** A name that can be part of a path. */
    static void segment(String name, String path, List<FieldError> errors) {
        if (name.equals(".") || name.equals("..")) {
            errors.add(FieldError.invalid(path, TextNode.valueOf(name), "may not be '" + name + "'"));
            return;
        }
        for (String part : List.of("/", "%")) {
            if (name.contains(part)) {
                errors.add(FieldError.invalid(path, TextNode.valueOf(name), "may not contain '" + part + "'"));
            }
        }
    }

    /**
     * Match conditions.
     *
     * @param inputs what their expressions may name
     */
    static List<FieldError> conditions(ObjectNode who, String path, AdmissionTypes inputs) {
        List<FieldError> errors = new ArrayList<>();
        Set<String> names = new HashSet<>();
        JsonNode conditions = who.path("matchConditions");
        if (conditions.size() > MAX_CONDITIONS) {
            errors.add(FieldError.tooMany(path + ".matchConditions", conditions.size(), MAX_CONDITIONS));
        }
        int i = 0;
        for (ObjectNode condition : JsonTree.objects(who, "matchConditions")) {
            String at = path + ".matchConditions[" + i++ + "]";
            String source = JsonTree.text(condition, "expression").strip();
            if (source.isEmpty()) {
                errors.add(FieldError.required(at + ".expression", ""));
            } else {
                AdmissionExpressions.compile(source, inputs, CelType.BOOL).addTo(errors, at + ".expression", source);
            }
            String name = JsonTree.text(condition, "name");
            if (name.isEmpty()) {
                errors.add(FieldError.required(at + ".name", ""));
                continue;
            }
            DeviceNames.labelKey(name, at + ".name", errors);
            if (!names.add(name)) {
                errors.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
            }
        }
        return errors;
    }
}
