package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of FlowSchemas and PriorityLevelConfigurations. One use. */
final class FlowValidation {
    private static final int MAX_PRECEDENCE = 10_000;
    private static final int MAX_QUEUES = 10_000_000;
    private static final int HUNDRED = 100;
    private static final String[] VERBS = {
        "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"
    };

    private final Checks checks = new Checks(new ArrayList<>());

    private FlowValidation() {}

    static List<FieldError> schema(ObjectNode object) {
        FlowValidation v = new FlowValidation();
        v.schema(object.path("spec"), JsonTree.text(object.path("metadata"), "name"));
        return v.checks.errors();
    }

    private void schema(JsonNode spec, String name) {
        long precedence = spec.path("matchingPrecedence").asLong();
        JsonNode shown = spec.get("matchingPrecedence");
        String at = "spec.matchingPrecedence";
        if (precedence <= 0) {
            checks.invalid(at, shown, "must be a positive value");
        }
        if (precedence > MAX_PRECEDENCE) {
            checks.invalid(at, shown, "must not be greater than " + MAX_PRECEDENCE);
        }
        if (precedence == 1 && !name.equals("exempt")) {
            checks.invalid(at, shown, "only the schema named 'exempt' may have matchingPrecedence 1");
        }
        if (spec.get("distinguisherMethod") instanceof ObjectNode method) {
            String type = JsonTree.text(method, "type");
            if (!type.equals("ByNamespace") && !type.equals("ByUser")) {
                ObjectNode whole = JsonNodeFactory.instance.objectNode().put("Type", type);
                checks.add(FieldError.notSupported(
                        "spec.distinguisherMethod.type", whole, List.of("\"ByNamespace\"", "\"ByUser\"")));
            }
        }
        String level = JsonTree.text(spec.path("priorityLevelConfiguration"), "name");
        if (level.isEmpty()) {
            checks.required("spec.priorityLevelConfiguration.name", "must reference a priority level");
        } else {
            checks.subdomain(level, "spec.priorityLevelConfiguration.name");
        }
        List<ObjectNode> rules = JsonTree.objects(spec, "rules");
        for (int i = 0; i < rules.size(); i++) {
            rule(rules.get(i), "spec.rules[" + i + "]");
        }
    }

    private void rule(ObjectNode rule, String at) {
        List<ObjectNode> subjects = JsonTree.objects(rule, "subjects");
        if (subjects.isEmpty()) {
            checks.required(at + ".subjects", "subjects must contain at least one value");
        }
        for (int i = 0; i < subjects.size(); i++) {
            subject(subjects.get(i), at + ".subjects[" + i + "]");
        }
        List<ObjectNode> resources = JsonTree.objects(rule, "resourceRules");
        List<ObjectNode> others = JsonTree.objects(rule, "nonResourceRules");
        if (resources.isEmpty() && others.isEmpty()) {
            checks.required(at, "at least one of resourceRules and nonResourceRules has to be non-empty");
        }
        for (int i = 0; i < resources.size(); i++) {
            resourceRule(resources.get(i), at + ".resourceRules[" + i + "]");
        }
        for (int i = 0; i < others.size(); i++) {
            String path = at + ".nonResourceRules[" + i + "]";
            verbs(others.get(i).path("verbs"), path + ".verbs");
            JsonNode urls = others.get(i).path("nonResourceURLs");
            if (urls.isEmpty()) {
                checks.required(path + ".nonResourceURLs", "nonResourceURLs must contain at least one value");
            } else {
                alone(urls, path + ".nonResourceURLs", "other non-resource URLs");
            }
        }
    }

    private void subject(ObjectNode subject, String at) {
        String kind = JsonTree.text(subject, "kind");
        String field = switch (kind) {
            case "ServiceAccount" -> "serviceAccount";
            case "User" -> "user";
            case "Group" -> "group";
            default -> "";
        };
        if (field.isEmpty()) {
            checks.notSupported(at + ".kind", kind, "Group", "ServiceAccount", "User");
            return;
        }
        if (!(subject.get(field) instanceof ObjectNode named)) {
            checks.required(at + "." + field, field + " is required when subject kind is '" + kind + "'");
        } else {
            named(named, field, at + "." + field);
        }
        for (String other : List.of("serviceAccount", "user", "group")) {
            if (!other.equals(field) && subject.has(other)) {
                String its =
                        other.equals("serviceAccount") ? "ServiceAccount" : other.equals("user") ? "User" : "Group";
                checks.forbidden(at + "." + other, other + " is forbidden when subject kind is not '" + its + "'");
            }
        }
    }

    private void named(ObjectNode named, String field, String at) {
        String name = JsonTree.text(named, "name");
        if (checks.present(named, "name", at) && field.equals("serviceAccount") && !name.equals("*")) {
            checks.subdomain(name, at + ".name");
        }
        if (field.equals("serviceAccount")) {
            String namespace = JsonTree.text(named, "namespace");
            if (namespace.isEmpty()) {
                checks.required(at + ".namespace", "must specify namespace for service account");
            } else if (!namespace.equals("*")) {
                checks.label(namespace, at + ".namespace");
            }
        }
    }

    private void resourceRule(ObjectNode rule, String at) {
        verbs(rule.path("verbs"), at + ".verbs");
        several(rule.path("apiGroups"), at + ".apiGroups", "api group");
        several(rule.path("resources"), at + ".resources", "resource");
        JsonNode namespaces = rule.path("namespaces");
        if (namespaces.isEmpty() && !rule.path("clusterScope").asBoolean()) {
            checks.required(
                    at + ".namespaces",
                    "resource rules that are not cluster scoped must supply at least one namespace");
        } else if (!alone(namespaces, at + ".namespaces", "other namespaces")) {
            for (int i = 0; i < namespaces.size(); i++) {
                namespace(namespaces.get(i).asText(), at + ".namespaces[" + i + "]");
            }
        }
    }

    private void namespace(String name, String at) {
        List<FieldError> faults = new ArrayList<>();
        new Checks(faults).label(name, at);
        String shown = "Invalid value: \"" + name + "\": ";
        for (FieldError fault : faults) {
            checks.invalid(
                    at,
                    name,
                    "each member of this list must be '*' or a DNS-1123 label; "
                            + fault.message().substring(shown.length()));
        }
    }

    private void several(JsonNode values, String at, String what) {
        if (values.isEmpty()) {
            checks.required(at, "resource rules must supply at least one " + what);
        } else {
            alone(values, at, "other " + what + "s");
        }
    }

    /** Whether everything is meant, which nothing else may stand beside. */
    private boolean alone(JsonNode values, String at, String others) {
        boolean all = texts(values).contains("*");
        if (all && values.size() > 1) {
            checks.invalid(at, values, "if '*' is present, must not specify " + others);
        }
        return all;
    }

    private void verbs(JsonNode verbs, String at) {
        if (verbs.isEmpty()) {
            checks.required(at, "verbs must contain at least one value");
        } else if (!alone(verbs, at, "other verbs") && !Arrays.asList(VERBS).containsAll(texts(verbs))) {
            checks.add(FieldError.notSupported(
                    at,
                    verbs,
                    Arrays.stream(VERBS).map(verb -> "\"" + verb + "\"").toList()));
        }
    }

    private static Set<String> texts(JsonNode values) {
        Set<String> texts = new HashSet<>();
        values.forEach(value -> texts.add(value.asText()));
        return texts;
    }

    static List<FieldError> level(ObjectNode object) {
        FlowValidation v = new FlowValidation();
        v.level(object.path("spec"), JsonTree.text(object.path("metadata"), "name"));
        return v.checks.errors();
    }

    private void level(JsonNode spec, String name) {
        String type = JsonTree.text(spec, "type");
        JsonNode limited = spec.path("limited");
        JsonNode exempt = spec.path("exempt");
        if (type.equals("Exempt") != name.equals("exempt")) {
            checks.invalid("spec.type", type, "must be 'Exempt' if and only if `name` is 'exempt'");
        }
        switch (type) {
            case "Exempt" -> {
                if (limited.isObject()) {
                    checks.forbidden("spec.limited", "must be nil if the type is not Limited");
                }
                if (!exempt.isObject()) {
                    checks.required("spec.exempt", "must not be empty when type is Exempt");
                }
            }
            case "Limited" -> {
                if (exempt.isObject()) {
                    checks.forbidden("spec.exempt", "must be nil if the type is Limited");
                }
                if (limited.isObject()) {
                    limited(limited);
                } else {
                    checks.required("spec.limited", "must not be empty when type is Limited");
                }
            }
            default -> checks.notSupported("spec.type", type, "Exempt", "Limited");
        }
    }

    private void limited(JsonNode limited) {
        String at = "spec.limited";
        JsonNode shares = limited.path("nominalConcurrencyShares");
        if (shares.asLong() < 0) {
            checks.invalid(at + ".nominalConcurrencyShares", shares, "must be a non-negative integer");
        }
        JsonNode lendable = limited.path("lendablePercent");
        if (lendable.asLong() < 0 || lendable.asLong() > HUNDRED) {
            checks.invalid(at + ".lendablePercent", lendable, "must be between 0 and 100, inclusive");
        }
        JsonNode borrowing = limited.path("borrowingLimitPercent");
        if (borrowing.asLong() < 0) {
            checks.invalid(at + ".borrowingLimitPercent", borrowing, "if specified, must be a non-negative integer");
        }
        JsonNode response = limited.path("limitResponse");
        String path = at + ".limitResponse";
        String type = JsonTree.text(response, "type");
        switch (type) {
            case "Reject" -> {
                if (response.path("queuing").isObject()) {
                    checks.forbidden(path + ".queuing", "must be nil if limited.limitResponse.type is not Limited");
                }
            }
            case "Queue" -> {
                if (response.path("queuing").isObject()) {
                    queuing(response.path("queuing"), path + ".queuing");
                } else {
                    checks.required(path + ".queuing", "must not be empty if limited.limitResponse.type is Limited");
                }
            }
            default -> checks.notSupported(path + ".type", type, "Queue", "Reject");
        }
    }

    private void queuing(JsonNode queuing, String at) {
        long queues = queuing.path("queues").asLong();
        long hand = queuing.path("handSize").asLong();
        if (queuing.path("queueLengthLimit").asLong() <= 0) {
            checks.invalid(at + ".queueLengthLimit", queuing.get("queueLengthLimit"), "must be positive");
        }
        if (queues <= 0) {
            checks.invalid(at + ".queues", queuing.get("queues"), "must be positive");
        } else if (queues > MAX_QUEUES) {
            checks.invalid(at + ".queues", queuing.get("queues"), "must not be greater than " + MAX_QUEUES);
        }
        if (hand <= 0) {
            checks.invalid(at + ".handSize", queuing.get("handSize"), "must be positive");
        } else if (queues > 0 && hand > queues) {
            checks.invalid(
                    at + ".handSize",
                    IntNode.valueOf((int) hand),
                    "should not be greater than queues (" + queues + ")");
        }
    }
}
