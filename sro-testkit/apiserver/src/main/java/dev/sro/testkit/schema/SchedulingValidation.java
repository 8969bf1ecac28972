package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of where a pod may run: affinities, tolerations, spreading, gates. Not thread-safe. */
final class SchedulingValidation {
    private static final int MAX_WEIGHT = 100;
    private static final String[] POLICIES = {"Honor", "Ignore"};

    private final Checks checks;

    SchedulingValidation(Checks checks) {
        this.checks = checks;
    }

    void affinity(JsonNode affinity, String path) {
        JsonNode nodes = affinity.path("nodeAffinity");
        String at = path + ".nodeAffinity";
        if (nodes.get("requiredDuringSchedulingIgnoredDuringExecution") instanceof ObjectNode required) {
            NodeSelectorValidation.validate(
                    required, at + ".requiredDuringSchedulingIgnoredDuringExecution", checks.errors());
        }
        String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        List<ObjectNode> terms = JsonTree.objects(nodes, preferred);
        for (int i = 0; i < terms.size(); i++) {
            String term = at + "." + preferred + "[" + i + "]";
            weight(terms.get(i), term);
            NodeSelectorValidation.term(terms.get(i).path("preference"), term + ".preference", checks.errors());
        }
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            pods(affinity.path(kind), path + "." + kind);
        }
    }

    private void pods(JsonNode affinity, String path) {
        String required = "requiredDuringSchedulingIgnoredDuringExecution";
        List<ObjectNode> terms = JsonTree.objects(affinity, required);
        for (int i = 0; i < terms.size(); i++) {
            podTerm(terms.get(i), path + "." + required + "[" + i + "]");
        }
        String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        List<ObjectNode> weighted = JsonTree.objects(affinity, preferred);
        for (int i = 0; i < weighted.size(); i++) {
            String at = path + "." + preferred + "[" + i + "]";
            weight(weighted.get(i), at);
            podTerm(weighted.get(i).path("podAffinityTerm"), at + ".podAffinityTerm");
        }
    }

    private void weight(JsonNode term, String path) {
        int weight = term.path("weight").asInt();
        if (weight <= 0 || weight > MAX_WEIGHT) {
            checks.invalid(path + ".weight", number(term.path("weight")), "must be in the range 1-100");
        }
    }

    private static JsonNode number(JsonNode value) {
        return value.isNumber() ? value : JsonNodeFactory.instance.numberNode(0);
    }

    private void podTerm(JsonNode term, String path) {
        checks.selector(term.get("labelSelector"), path + ".labelSelector");
        checks.selector(term.get("namespaceSelector"), path + ".namespaceSelector");
        for (JsonNode namespace : term.path("namespaces")) {
            // The server does not say which of them it is.
            DeviceNames.label(namespace.asText(), path + ".namespace", checks.errors());
        }
        keys(term, path);
        topologyKey(term, path, "can not be empty");
        if (JsonTree.text(term, "topologyKey").isEmpty()) {
            checks.labelKey("", path + ".topologyKey");
        }
    }

    /** Labels of the pod itself that others must have too, or must not have. */
    private void keys(JsonNode term, String path) {
        JsonNode selector = term.path("labelSelector");
        List<String> alike = new ArrayList<>();
        List<String> unlike = new ArrayList<>();
        term.path("matchLabelKeys").forEach(key -> alike.add(key.asText()));
        term.path("mismatchLabelKeys").forEach(key -> unlike.add(key.asText()));
        labelKeys(alike, selector, path + ".matchLabelKeys");
        labelKeys(unlike, selector, path + ".mismatchLabelKeys");
        Set<String> selected = new HashSet<>();
        selector.path("matchLabels").fieldNames().forEachRemaining(selected::add);
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = JsonTree.text(expression, "key");
            if (!selected.add(key) && alike.contains(key)) {
                checks.invalid(
                        path + "[" + alike.lastIndexOf(key) + "]",
                        key,
                        "exists in both matchLabelKeys and labelSelector");
            }
        }
        for (int i = 0; i < alike.size(); i++) {
            if (unlike.contains(alike.get(i))) {
                checks.invalid(
                        path + ".matchLabelKeys[" + i + "]",
                        alike.get(i),
                        "exists in both matchLabelKeys and mismatchLabelKeys");
            }
        }
    }

    private void labelKeys(List<String> keys, JsonNode selector, String path) {
        if (!keys.isEmpty() && !selector.isObject()) {
            checks.forbidden(path, "must not be specified when labelSelector is not set");
            return;
        }
        for (int i = 0; i < keys.size(); i++) {
            checks.labelKey(keys.get(i), path + "[" + i + "]");
        }
    }

    private void topologyKey(JsonNode parent, String path, String missing) {
        String key = JsonTree.text(parent, "topologyKey");
        if (key.isEmpty()) {
            checks.required(path + ".topologyKey", missing);
        } else {
            checks.labelKey(key, path + ".topologyKey");
        }
    }

    void tolerations(List<ObjectNode> tolerations, String path) {
        for (int i = 0; i < tolerations.size(); i++) {
            toleration(tolerations.get(i), path + "[" + i + "]");
        }
    }

    /** Those of a runtime class, none of which may be there twice. */
    void distinctTolerations(List<ObjectNode> tolerations, String path) {
        tolerations(tolerations, path);
        for (int i = 0; i < tolerations.size(); i++) {
            if (tolerations.indexOf(tolerations.get(i)) < i) {
                checks.add(FieldError.duplicate(path + "[" + i + "]", shown(tolerations.get(i))));
            }
        }
    }

    private void toleration(ObjectNode toleration, String at) {
        String key = JsonTree.text(toleration, "key");
        String operator = JsonTree.text(toleration, "operator");
        String effect = JsonTree.text(toleration, "effect");
        if (!key.isEmpty()) {
            checks.labelKey(key, at + ".key");
        } else if (!operator.equals("Exists")) {
            checks.invalid(
                    at + ".operator",
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (toleration.hasNonNull("tolerationSeconds") && !effect.equals("NoExecute")) {
            checks.invalid(at + ".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        String value = JsonTree.text(toleration, "value");
        switch (operator) {
            case "", "Equal" -> {
                List<FieldError> faults = new ArrayList<>();
                DeviceNames.labelValue(value, at + ".operator", faults);
                faults.forEach(checks::add);
            }
            case "Exists" -> {
                if (!value.isEmpty()) {
                    checks.invalid(at + ".operator", value, "value must be empty when `operator` is 'Exists'");
                }
            }
            // The comparisons are known, and not allowed.
            case "Lt", "Gt" -> checks.notSupported(at + ".operator", operator, "Equal", "Exists", "Lt", "Gt");
            default -> checks.notSupported(at + ".operator", operator, "Equal", "Exists");
        }
        if (!effect.isEmpty() && !TaintValidation.EFFECTS.contains(effect)) {
            checks.notSupported(at + ".effect", effect, TaintValidation.EFFECTS.toArray(String[]::new));
        }
    }

    /** As the server's internal struct prints it. */
    private static ObjectNode shown(ObjectNode toleration) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        for (String field : List.of("key", "operator", "value", "effect")) {
            shown.put(Character.toUpperCase(field.charAt(0)) + field.substring(1), JsonTree.text(toleration, field));
        }
        JsonNode seconds = toleration.get("tolerationSeconds");
        shown.set("TolerationSeconds", seconds == null ? NullNode.getInstance() : seconds);
        return shown;
    }

    void spreading(List<ObjectNode> constraints, String path) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < constraints.size(); i++) {
            ObjectNode constraint = constraints.get(i);
            String at = path + "[" + i + "]";
            if (constraint.path("maxSkew").asInt() <= 0) {
                checks.invalid(at + ".maxSkew", number(constraint.path("maxSkew")), "must be greater than zero");
            }
            topologyKey(constraint, at, "can not be empty");
            String action = JsonTree.text(constraint, "whenUnsatisfiable");
            if (!List.of("DoNotSchedule", "ScheduleAnyway").contains(action)) {
                checks.notSupported(at + ".whenUnsatisfiable", action, "DoNotSchedule", "ScheduleAnyway");
            }
            String pair = JsonTree.text(constraint, "topologyKey") + ", " + action;
            if (!seen.add(pair)) {
                checks.add(FieldError.duplicate(
                        at + ".{topologyKey, whenUnsatisfiable}", TextNode.valueOf("{" + pair + "}")));
            }
            domains(constraint, action, at);
            checks.oneOf(constraint, "nodeAffinityPolicy", at, POLICIES);
            checks.oneOf(constraint, "nodeTaintsPolicy", at, POLICIES);
            checks.selector(constraint.get("labelSelector"), at + ".labelSelector");
            List<String> alike = new ArrayList<>();
            constraint.path("matchLabelKeys").forEach(key -> alike.add(key.asText()));
            labelKeys(alike, constraint.path("labelSelector"), at + ".matchLabelKeys");
        }
    }

    private void domains(ObjectNode constraint, String action, String at) {
        JsonNode domains = constraint.path("minDomains");
        if (!domains.isNumber()) {
            return;
        }
        if (domains.asInt() <= 0) {
            checks.invalid(at + ".minDomains", domains, "must be greater than zero");
        }
        if (!action.equals("DoNotSchedule")) {
            checks.invalid(
                    at + ".minDomains",
                    domains,
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
        }
    }

    void gates(List<ObjectNode> gates, String path) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < gates.size(); i++) {
            String at = path + "[" + i + "]";
            String name = JsonTree.text(gates.get(i), "name");
            checks.labelKey(name, at);
            if (!seen.add(name)) {
                checks.add(FieldError.duplicate(at, TextNode.valueOf(name)));
            }
        }
    }

    void readinessGates(List<ObjectNode> gates, String path) {
        for (int i = 0; i < gates.size(); i++) {
            checks.labelKey(JsonTree.text(gates.get(i), "conditionType"), path + "[" + i + "].conditionType");
        }
    }
}
