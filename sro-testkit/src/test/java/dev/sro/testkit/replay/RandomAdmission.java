package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/**
 * Policies of admission with their bindings, and configurations of webhooks, at random, most of them valid. All of one round concern the
 * objects of one namespace alone, whose label {@code round} is its name. Draws from one source.
 */
final class RandomAdmission {
    private static final String API = "admissionregistration.k8s.io/v1";

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

    private static final List<String> TEXTS = List.of(
            "'said of ' + request.name",
            "object.metadata.name + ' is not wanted'",
            "string(object.data.size())",
            "object.data['nothing']",
            "''",
            "'   '",
            "'a\\nb'",
            "namespaceObject.metadata.name.size() > 3 ? 'long' : 'short'",
            "1",
            "object.");

    private static final List<String> VALUES = List.of(
            "request.operation",
            "object.metadata.name",
            "has(object.data) ? object.data : {}",
            "object.metadata.?labels.x.orValue('none')",
            "1 + 1",
            "[1, 2].map(i, i * 2)",
            "true",
            "broken(");

    private static final List<String> MUTATIONS = List.of(
            "Object{metadata: Object.metadata{labels: {'made': 'yes'}}}",
            "Object{metadata: Object.metadata{annotations: {'name': object.metadata.name}}}",
            "Object{data: {'added': request.operation}}",
            "has(object.spec) ? Object{spec: Object.spec{replicas: 2}} : Object{}",
            "Object{spec: Object.spec{replicas: 2}}",
            "Object{kind: 'Other'}",
            "Object{metadata: Object.metadata{name: 'other'}}",
            "Object{nothing: 1}",
            "{'metadata': 1}",
            "object");

    private static final List<String> PATCHES = List.of(
            "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'made': 'yes'}}]",
            "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]",
            "[JSONPatch{op: 'test', path: '/data/k', value: 'v'}, JSONPatch{op: 'replace', path: '/data/k', value: 'w'}]",
            "[JSONPatch{op: 'remove', path: '/data'}]",
            "[JSONPatch{op: 'copy', from: '/metadata/name', path: '/metadata/annotations'}]",
            "has(object.data) ? [JSONPatch{op: 'add', path: '/data/n', value: '1'}] : []",
            "[]",
            "[JSONPatch{op: 'move', path: '/x', from: '/y'}]",
            "[{'op': 'add'}]",
            "'text'");

    private static final List<String> REASONS =
            List.of("Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge", "Teapot", "");
    private static final List<String> WEBHOOKS = List.of(
            "/validate", "/validate-teapot", "/validate-plain", "/warn", "/baduid", "/allow", "/fail", "/mutate");

    private final Random random;
    private final String namespace;
    private final int mistakes;
    private boolean params;
    private boolean variable;

    /** @param mistakes about one in how many places has one; 0: none. */
    RandomAdmission(Random random, String namespace, int mistakes) {
        this.random = random;
        this.namespace = namespace;
        this.mistakes = mistakes;
    }

    private boolean once(int of) {
        return random.nextInt(of) == 0;
    }

    private boolean wrong() {
        return mistakes > 0 && once(mistakes);
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** One of them; one of the last ones only where mistakes are made. */
    private String valid(List<String> of, int wrong) {
        return wrong > 0 && wrong()
                ? pick(of.subList(of.size() - wrong, of.size()))
                : pick(of.subList(0, of.size() - wrong));
    }

    private void some(ArrayNode into, List<String> of, int wrong) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            into.add(valid(of, wrong));
        }
    }

    static ObjectNode named(String kind, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", API).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }

    ObjectNode policy(boolean mutating, String name) {
        ObjectNode policy = named(mutating ? "MutatingAdmissionPolicy" : "ValidatingAdmissionPolicy", name);
        ObjectNode spec = policy.putObject("spec");
        if (once(3)) {
            spec.put("failurePolicy", wrong() ? "Stop" : once(2) ? "Ignore" : "Fail");
        }
        params = once(3);
        if (params) {
            spec.putObject("paramKind")
                    .put("apiVersion", wrong() ? "v9/x/y" : "v1")
                    .put("kind", wrong() ? "" : once(12) ? "Unknown" : once(12) ? "Namespace" : "ConfigMap");
        }
        matches(spec.putObject("matchConstraints"), "resourceRules", true);
        variables(spec);
        matchConditions(spec);
        if (mutating) {
            if (!wrong()) {
                spec.put("reinvocationPolicy", once(2) ? "Never" : wrong() ? "Often" : "IfNeeded");
            }
            mutations(spec.putArray("mutations"));
        } else {
            if (!once(8)) {
                validations(spec);
            }
            if (once(3)) {
                ObjectNode audit = spec.putArray("auditAnnotations").addObject();
                audit.put("key", wrong() ? "bad key" : "why").put("valueExpression", text());
            }
        }
        return policy;
    }

    private void variables(ObjectNode spec) {
        variable = false;
        if (!once(2)) {
            ArrayNode variables = spec.putArray("variables");
            variables.addObject().put("name", "v0").put("expression", once(3) ? valid(VALUES, 1) : condition());
            variable = true;
            if (once(3)) {
                variables
                        .addObject()
                        .put("name", wrong() ? "v0" : wrong() ? "1x" : "v1")
                        .put("expression", "variables.v0");
            }
        }
    }

    private String condition() {
        if (wrong() || (variable && once(4))) {
            return "variables.v0 == true";
        }
        if (wrong() || (params && once(2))) {
            return once(2) ? "params.data.max == '3'" : "params == null || params.data.max == '3'";
        }
        return valid(CONDITIONS, 6);
    }

    private String text() {
        return variable && once(5) ? "string(variables.v0)" : valid(TEXTS, 2);
    }

    private void validations(ObjectNode spec) {
        ArrayNode validations = spec.putArray("validations");
        for (int i = random.nextInt(2); i >= 0; i--) {
            ObjectNode validation = validations.addObject();
            validation.put("expression", condition());
            if (once(3)) {
                validation.put("message", wrong() ? "  " : wrong() ? "two\nlines" : "not wanted");
            }
            if (once(3)) {
                validation.put("messageExpression", text());
            }
            if (once(3)) {
                validation.put("reason", valid(REASONS, 2));
            }
        }
    }

    private void mutations(ArrayNode mutations) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            ObjectNode mutation = mutations.addObject();
            boolean patch = once(2);
            mutation.put("patchType", wrong() ? "Merge" : patch ? "JSONPatch" : "ApplyConfiguration");
            mutation.putObject(patch ? "jsonPatch" : "applyConfiguration")
                    .put("expression", patch ? valid(PATCHES, 3) : valid(MUTATIONS, 5));
        }
    }

    private void matchConditions(ObjectNode owner) {
        if (once(3)) {
            ArrayNode conditions = owner.putArray("matchConditions");
            for (int i = random.nextInt(2); i >= 0; i--) {
                conditions
                        .addObject()
                        .put("name", wrong() ? "bad name" : "c" + (wrong() ? 0 : i))
                        .put("expression", valid(CONDITIONS, 6));
            }
        }
    }

    private void matches(ObjectNode match, String rules, boolean needed) {
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
            rules(match.putArray(rules), true);
        }
        if (once(5)) {
            rules(match.putArray("excludeResourceRules"), true);
        }
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

    ObjectNode binding(boolean mutating, String name, String policy) {
        ObjectNode binding =
                named(mutating ? "MutatingAdmissionPolicyBinding" : "ValidatingAdmissionPolicyBinding", name);
        ObjectNode spec = binding.putObject("spec").put("policyName", wrong() ? "" : policy);
        if (!mutating) {
            ArrayNode actions = spec.putArray("validationActions");
            switch (random.nextInt(5)) {
                case 0 -> actions.add("Warn");
                case 1 -> actions.add("Warn").add("Audit");
                case 2 -> actions.add("Deny").add("Audit");
                default -> actions.add("Deny");
            }
            if (wrong()) {
                actions.add(once(2) ? "Deny" : "Tell");
            }
        }
        if (params ? !once(4) : once(12)) {
            ObjectNode param = spec.putObject("paramRef");
            if (once(2) || wrong()) {
                param.put("name", once(3) ? "none" : "params");
            }
            if (!param.has("name") || wrong()) {
                param.putObject("selector").putObject("matchLabels").put("params", once(3) ? "no" : "yes");
            }
            if (once(3)) {
                param.put("namespace", namespace);
            }
            if (!wrong()) {
                param.put("parameterNotFoundAction", wrong() ? "Wait" : once(2) ? "Allow" : "Deny");
            }
        }
        if (once(4)) {
            matches(spec.putObject("matchResources"), "resourceRules", false);
        }
        return binding;
    }

    /** @param url of the server that the hooks are at. */
    ObjectNode webhooks(boolean mutating, String name, String url, String caBundle) {
        ObjectNode configuration =
                named(mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration", name);
        ArrayNode webhooks = configuration.putArray("webhooks");
        for (int i = random.nextInt(2); i >= 0; i--) {
            ObjectNode webhook = webhooks.addObject();
            webhook.put("name", wrong() ? "short" : "w" + (wrong() ? 0 : i) + "." + namespace + ".example.com");
            ObjectNode client = webhook.putObject("clientConfig");
            client.put("url", (wrong() ? url.replace("https", "http") : url) + pick(WEBHOOKS));
            client.put("caBundle", wrong() ? "bm8=" : caBundle);
            if (wrong()) {
                client.putObject("service").put("namespace", "default").put("name", "x");
            }
            webhook.put("sideEffects", wrong() ? "Some" : once(2) ? "None" : "NoneOnDryRun");
            webhook.putArray("admissionReviewVersions").add(wrong() ? "v9" : "v1");
            if (once(3)) {
                webhook.put("failurePolicy", once(2) ? "Ignore" : "Fail");
            }
            if (once(4)) {
                webhook.put("timeoutSeconds", wrong() ? 31 : 5);
            }
            if (mutating && once(3)) {
                webhook.put("reinvocationPolicy", once(2) ? "IfNeeded" : "Never");
            }
            matches(webhook);
            matchConditions(webhook);
        }
        return configuration;
    }

    private void matches(ObjectNode webhook) {
        webhook.putObject("namespaceSelector").putObject("matchLabels").put("round", namespace);
        if (once(4)) {
            webhook.putObject("objectSelector").putObject("matchLabels").put("x", "1");
        }
        if (once(3)) {
            webhook.put("matchPolicy", once(2) ? "Exact" : "Equivalent");
        }
        rules(webhook.putArray("rules"), false);
    }
}
