package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Policies of admission with their bindings, at random, most of them valid. */
final class RandomAdmission {
    private static final String API = "admissionregistration.k8s.io/v1";

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
            "[JSONPatch{op: 'test', path: '/data/k', value: 'v'}, JSONPatch{op: 'replace', path: '/data/k', value:"
                    + " 'w'}]",
            "[JSONPatch{op: 'remove', path: '/data'}]",
            "[JSONPatch{op: 'copy', from: '/metadata/name', path: '/metadata/annotations'}]",
            "has(object.data) ? [JSONPatch{op: 'add', path: '/data/n', value: '1'}] : []",
            "[]",
            "[JSONPatch{op: 'move', path: '/x', from: '/y'}]",
            "[{'op': 'add'}]",
            "'text'");

    private static final List<String> REASONS =
            List.of("Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge", "Teapot", "");

    private final RandomMatches random;
    private boolean params;
    private boolean variable;

    RandomAdmission(RandomMatches random) {
        this.random = random;
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
        if (random.once(3)) {
            spec.put("failurePolicy", random.wrong() ? "Stop" : random.once(2) ? "Ignore" : "Fail");
        }
        params = random.once(3);
        if (params) {
            spec.putObject("paramKind")
                    .put("apiVersion", random.wrong() ? "v9/x/y" : "v1")
                    .put(
                            "kind",
                            random.wrong()
                                    ? ""
                                    : random.once(12) ? "Unknown" : random.once(12) ? "Namespace" : "ConfigMap");
        }
        random.ofPolicy(spec.putObject("matchConstraints"), true);
        variables(spec);
        random.matchConditions(spec);
        if (mutating) {
            if (!random.wrong()) {
                spec.put("reinvocationPolicy", random.once(2) ? "Never" : random.wrong() ? "Often" : "IfNeeded");
            }
            mutations(spec.putArray("mutations"));
        } else {
            if (!random.once(8)) {
                validations(spec);
            }
            if (random.once(3)) {
                ObjectNode audit = spec.putArray("auditAnnotations").addObject();
                audit.put("key", random.wrong() ? "bad key" : "why").put("valueExpression", text());
            }
        }
        return policy;
    }

    private void variables(ObjectNode spec) {
        variable = false;
        if (!random.once(2)) {
            ArrayNode variables = spec.putArray("variables");
            variables
                    .addObject()
                    .put("name", "v0")
                    .put("expression", random.once(3) ? random.valid(VALUES, 1) : condition());
            variable = true;
            if (random.once(3)) {
                variables
                        .addObject()
                        .put("name", random.wrong() ? "v0" : random.wrong() ? "1x" : "v1")
                        .put("expression", "variables.v0");
            }
        }
    }

    private String condition() {
        if (random.wrong() || (variable && random.once(4))) {
            return "variables.v0 == true";
        }
        if (random.wrong() || (params && random.once(2))) {
            return random.once(2) ? "params.data.max == '3'" : "params == null || params.data.max == '3'";
        }
        return random.condition();
    }

    private String text() {
        return variable && random.once(5) ? "string(variables.v0)" : random.valid(TEXTS, 2);
    }

    private void validations(ObjectNode spec) {
        ArrayNode validations = spec.putArray("validations");
        for (int i = random.nextInt(2); i >= 0; i--) {
            ObjectNode validation = validations.addObject();
            validation.put("expression", condition());
            if (random.once(3)) {
                validation.put("message", random.wrong() ? "  " : random.wrong() ? "two\nlines" : "not wanted");
            }
            if (random.once(3)) {
                validation.put("messageExpression", text());
            }
            if (random.once(3)) {
                validation.put("reason", random.valid(REASONS, 2));
            }
        }
    }

    private void mutations(ArrayNode mutations) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            ObjectNode mutation = mutations.addObject();
            boolean patch = random.once(2);
            mutation.put("patchType", random.wrong() ? "Merge" : patch ? "JSONPatch" : "ApplyConfiguration");
            mutation.putObject(patch ? "jsonPatch" : "applyConfiguration")
                    .put("expression", patch ? random.valid(PATCHES, 3) : random.valid(MUTATIONS, 5));
        }
    }

    ObjectNode binding(boolean mutating, String name, String policy) {
        ObjectNode binding =
                named(mutating ? "MutatingAdmissionPolicyBinding" : "ValidatingAdmissionPolicyBinding", name);
        ObjectNode spec = binding.putObject("spec").put("policyName", random.wrong() ? "" : policy);
        if (!mutating) {
            ArrayNode actions = spec.putArray("validationActions");
            switch (random.nextInt(5)) {
                case 0 -> actions.add("Warn");
                case 1 -> actions.add("Warn").add("Audit");
                case 2 -> actions.add("Deny").add("Audit");
                default -> actions.add("Deny");
            }
            if (random.wrong()) {
                actions.add(random.once(2) ? "Deny" : "Tell");
            }
        }
        if (params ? !random.once(4) : random.once(12)) {
            ObjectNode param = spec.putObject("paramRef");
            if (random.once(2) || random.wrong()) {
                param.put("name", random.once(3) ? "none" : "params");
            }
            if (!param.has("name") || random.wrong()) {
                param.putObject("selector").putObject("matchLabels").put("params", random.once(3) ? "no" : "yes");
            }
            if (random.once(3)) {
                param.put("namespace", random.namespace());
            }
            if (!random.wrong()) {
                param.put("parameterNotFoundAction", random.wrong() ? "Wait" : random.once(2) ? "Allow" : "Deny");
            }
        }
        if (random.once(4)) {
            random.ofPolicy(spec.putObject("matchResources"), false);
        }
        return binding;
    }
}
