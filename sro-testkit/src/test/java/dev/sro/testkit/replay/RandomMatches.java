package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/**
 * What policies of admission and webhooks have in common, at random, most of it valid: which objects they are about, and under which
 * conditions. All of one round concern the objects of one namespace alone, whose label {@code round} is its name. Draws from one source.
 */
final class RandomMatches {
    private static final List<String> OPERATIONS = List.of("CREATE", "UPDATE", "DELETE", "CONNECT", "*", "PATCH");
    private static final List<String> GROUPS = List.of("", "apps", "*", "batch");
    private static final List<String> RESOURCES = List.of(
            "configmaps",
            "secrets",
            "serviceaccounts",
            "deployments",
            "deployments/scale",
            "*",
            "*/*",
            "*/scale",
            "pods");
    private static final List<String> NAMES = List.of("a", "b", "sa");
    private static final List<String> SCOPES = List.of("Namespaced", "*", "Cluster", "Wide");

    /** Conditions: of a validation, of a match, of variables that are yes or no. The last ones are mistakes. */
    private static final List<String> CONDITIONS = List.of(
            "true",
            "false",
            "request.operation != 'DELETE'",
            "object == null || object.metadata.name != 'b'",
            "object == null || !has(object.metadata.labels) || !('x' in object.metadata.labels)",
            "object == null || has(object.data) && object.data.size() < 2",
            "oldObject == null || object == null || object.metadata.name == oldObject.metadata.name",
            "request.userInfo.username == 'u1'",
            "'g1' in request.userInfo.groups",
            "request.resource.resource == 'configmaps'",
            "request.dryRun != true",
            "request.name != 'a' && request.namespace.startsWith('adm')",
            "namespaceObject.metadata.labels['round'] != ''",
            "namespaceObject.metadata.labels['other'] != ''",
            "object.data.all(k, k.size() < 2)",
            "object.data['k'] == 'v'",
            "int(object.data['n']) < 5",
            "!has(object.spec) || object.spec.replicas < 3",
            "object.spec.replicas < 3",
            "object.kind == 'ConfigMap'",
            "authorizer.group('').resource('configmaps').namespace('default').check('get').allowed()",
            "authorizer.requestResource.check('delete').allowed()",
            "request.kind.kind.matches('^(Config|Secret).*')",
            "object.metadata.?labels.x.orValue('none') != '1'",
            "has(request.options.fieldManager)",
            "request.requestKind.version == 'v1' && request.requestResource.group == ''",
            "quantity('1Gi').isLessThan(quantity('2Gi'))",
            "dyn(object).metadata.generation > 0",
            "1 < 'a'",
            "object.nothing.at.all == 1",
            "unknown == 1",
            "'text'",
            "object.metadata.name +",
            "");

    private final Random random;
    private final String namespace;
    private final int mistakes;

    /** @param mistakes about one in how many places has one; 0: none. */
    RandomMatches(Random random, String namespace, int mistakes) {
        this.random = random;
        this.namespace = namespace;
        this.mistakes = mistakes;
    }

    int nextInt(int bound) {
        return random.nextInt(bound);
    }

    String namespace() {
        return namespace;
    }

    boolean once(int of) {
        return random.nextInt(of) == 0;
    }

    boolean wrong() {
        return mistakes > 0 && once(mistakes);
    }

    <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** One of them; one of the last ones only where mistakes are made. */
    String valid(List<String> of, int wrong) {
        return wrong > 0 && wrong()
                ? pick(of.subList(of.size() - wrong, of.size()))
                : pick(of.subList(0, of.size() - wrong));
    }

    void some(ArrayNode into, List<String> of, int wrong) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            into.add(valid(of, wrong));
        }
    }

    /** An expression that is yes or no. */
    String condition() {
        return valid(CONDITIONS, 6);
    }

    void matchConditions(ObjectNode owner) {
        if (once(3)) {
            ArrayNode conditions = owner.putArray("matchConditions");
            for (int i = random.nextInt(2); i >= 0; i--) {
                conditions
                        .addObject()
                        .put("name", wrong() ? "bad name" : "c" + (wrong() ? 0 : i))
                        .put("expression", condition());
            }
        }
    }

    /**
     * Of a policy or a binding.
     *
     * @param needed whether it has to have rules
     */
    void ofPolicy(ObjectNode match, boolean needed) {
        ObjectNode selector = match.putObject("namespaceSelector");
        selector.putObject("matchLabels").put("round", namespace);
        if (once(8)) {
            ObjectNode expression = selector.putArray("matchExpressions").addObject();
            expression
                    .put("key", "kubernetes.io/metadata.name")
                    .put("operator", wrong() ? "Near" : once(2) ? "Exists" : "In");
            if (expression.path("operator").asText().equals("In") || wrong()) {
                expression.putArray("values").add(namespace);
            }
        }
        if (once(4)) {
            match.putObject("objectSelector")
                    .putObject("matchLabels")
                    .put(wrong() ? "bad key" : "x", once(3) ? "2" : "1");
        }
        if (once(3)) {
            match.put("matchPolicy", wrong() ? "Near" : once(2) ? "Exact" : "Equivalent");
        }
        if (needed ? !wrong() : once(3)) {
            rules(match.putArray("resourceRules"), true);
        }
        if (once(5)) {
            rules(match.putArray("excludeResourceRules"), true);
        }
    }

    void ofWebhook(ObjectNode webhook) {
        webhook.putObject("namespaceSelector").putObject("matchLabels").put("round", namespace);
        if (once(4)) {
            webhook.putObject("objectSelector").putObject("matchLabels").put("x", "1");
        }
        if (once(3)) {
            webhook.put("matchPolicy", once(2) ? "Exact" : "Equivalent");
        }
        rules(webhook.putArray("rules"), false);
    }

    private void rules(ArrayNode rules, boolean names) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            ObjectNode rule = rules.addObject();
            boolean common = once(2);
            if (common) {
                rule.putArray("apiGroups").add("*");
            } else {
                some(rule.putArray("apiGroups"), GROUPS, 0);
            }
            if (!wrong()) {
                rule.putArray("apiVersions").add(once(2) ? "*" : once(8) ? "v1beta1" : "v1");
            }
            ArrayNode operations = rule.putArray("operations");
            if (once(2)) {
                operations.add("*");
                if (wrong()) {
                    operations.add("CREATE");
                }
            } else {
                some(operations, OPERATIONS, 1);
            }
            if (common) {
                rule.putArray("resources").add("*");
            } else if (wrong()) {
                some(rule.putArray("resources"), RESOURCES, 0);
            } else {
                rule.putArray("resources").add(pick(RESOURCES));
            }
            if (once(4)) {
                rule.put("scope", valid(SCOPES, 1));
            }
            if (names && once(6)) {
                some(rule.putArray("resourceNames"), NAMES, 0);
            }
        }
    }
}
