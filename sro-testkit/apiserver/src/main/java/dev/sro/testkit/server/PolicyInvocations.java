package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.AdmissionExpressions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which admission policies are about a write, with which bindings and parameters. Called with the store's lock held. */
final class PolicyInvocations {
    private static final String NO_POLICY = "failed to configure policy: ";
    private static final String NO_BINDING = "failed to configure binding: ";
    private static final String NO_PARAMS = "no params found for policy binding with `Deny` parameterNotFoundAction";

    /**
     * A policy that is to be asked.
     *
     * @param as the type under which it wants the object
     * @param param the parameter; null where it has none
     * @param fault why it cannot be asked; empty if it can
     */
    record Invocation(
            ObjectNode policy,
            ObjectNode binding,
            ResourceType as,
            @Nullable ObjectNode param,
            String fault) {
        /** Whether it cannot be asked whatever the binding. */
        boolean unusable() {
            return fault.startsWith(NO_POLICY);
        }

        JsonNode spec() {
            return policy.path("spec");
        }

        String name() {
            return Json.name(policy);
        }

        /** Whether an error of the policy lets the write through. */
        boolean ignoresFailures() {
            return Json.text(spec(), "failurePolicy").equals("Ignore");
        }

        /** The same each time it is asked about one write. */
        String id() {
            String parameter = param == null ? "" : Json.text(param, "metadata", "namespace") + "/" + Json.name(param);
            return name() + " " + Json.name(binding) + " " + parameter;
        }
    }

    private final Store store;
    private final ResourceRegistry registry;
    private final AdmissionMatcher matcher;
    private final AdmissionQuestions questions;
    private final Gvr policies;
    private final Gvr bindings;

    PolicyInvocations(
            Store store,
            ResourceRegistry registry,
            AdmissionMatcher matcher,
            AdmissionQuestions questions,
            Gvr policies,
            Gvr bindings) {
        this.store = store;
        this.registry = registry;
        this.matcher = matcher;
        this.questions = questions;
        this.policies = policies;
        this.bindings = bindings;
    }

    /** Whether there is any policy that is bound. */
    boolean any() {
        return !store.table(bindings).objects.isEmpty()
                && !store.table(policies).objects.isEmpty();
    }

    /** Those about this write, by the names of policy and binding. */
    List<Invocation> about(AdmissionAttributes attributes) {
        List<Invocation> found = new ArrayList<>();
        for (Stored policy : store.table(policies).in(null)) {
            ResourceType as =
                    matcher.match(policy.object().path("spec").path("matchConstraints"), "resourceRules", attributes);
            if (as == null) {
                continue;
            }
            List<ObjectNode> bound = bindings(Json.name(policy.object()));
            JsonNode kind = policy.object().path("spec").path("paramKind");
            if (bound.isEmpty()) {
                continue;
            }
            if (!Json.isEmpty(kind) && type(kind) == null) {
                String fault =
                        NO_POLICY + "failed to find resource referenced by paramKind: '" + Json.kindText(kind) + "'";
                found.add(new Invocation(policy.object(), bound.get(0), as, null, fault));
                continue;
            }
            for (ObjectNode binding : bound) {
                if (isWithin(binding, attributes)) {
                    bound(policy.object(), binding, as, attributes, found);
                }
            }
        }
        return found;
    }

    private List<ObjectNode> bindings(String policy) {
        List<ObjectNode> bound = new ArrayList<>();
        for (Stored binding : store.table(bindings).in(null)) {
            if (Json.text(binding.object(), "spec", "policyName").equals(policy)) {
                bound.add(binding.object());
            }
        }
        return bound;
    }

    private @Nullable ResourceType type(JsonNode kind) {
        return registry.find(Json.text(kind, "apiVersion"), Json.text(kind, "kind"))
                .orElse(null);
    }

    private boolean isWithin(ObjectNode binding, AdmissionAttributes attributes) {
        JsonNode also = binding.path("spec").path("matchResources");
        boolean restricted = !also.path("resourceRules").isEmpty();
        return Json.isEmpty(also)
                || matcher.match(restricted ? also : everything(also), "resourceRules", attributes) != null;
    }

    /** A binding without rules restricts by its selectors alone. */
    private static ObjectNode everything(JsonNode matchResources) {
        ObjectNode all = matchResources.deepCopy();
        ObjectNode rule = all.putArray("resourceRules").addObject();
        for (String field : List.of("operations", "apiGroups", "apiVersions")) {
            rule.putArray(field).add("*");
        }
        rule.putArray("resources").add("*/*");
        return all;
    }

    /** One for each parameter. */
    private void bound(
            ObjectNode policy,
            ObjectNode binding,
            ResourceType as,
            AdmissionAttributes attributes,
            List<Invocation> found) {
        JsonNode kind = policy.path("spec").path("paramKind");
        JsonNode reference = binding.path("spec").path("paramRef");
        if (Json.isEmpty(kind) || Json.isEmpty(reference)) {
            found.add(new Invocation(policy, binding, as, null, ""));
            return;
        }
        ResourceType type = Objects.requireNonNull(type(kind));
        String own = Json.text(reference, "namespace");
        String namespace = type.namespaced() ? (own.isEmpty() ? attributes.call().namespace : own) : null;
        String fault = "";
        if (type.namespaced() && namespace == null) {
            fault = "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
        } else if (!type.namespaced() && !own.isEmpty()) {
            fault = "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
        } else {
            List<ObjectNode> params = params(type, namespace, reference);
            params.forEach(param -> found.add(new Invocation(policy, binding, as, param, "")));
            boolean missed = params.isEmpty()
                    && !Json.text(reference, "parameterNotFoundAction").equals("Allow");
            fault = missed ? NO_PARAMS : "";
        }
        if (!fault.isEmpty()) {
            found.add(new Invocation(policy, binding, as, null, NO_BINDING + fault));
        }
    }

    private List<ObjectNode> params(ResourceType type, @Nullable String namespace, JsonNode reference) {
        List<ObjectNode> params = new ArrayList<>();
        String name = Json.text(reference, "name");
        for (Stored stored : store.table(type.storage()).in(namespace)) {
            boolean wanted = name.isEmpty()
                    ? LabelSelector.of(reference.path("selector")).matchesObject(stored.object())
                    : Json.name(stored.object()).equals(name);
            if (wanted) {
                params.add(stored.object());
            }
        }
        return params;
    }

    /** The expressions of a policy, on the values of the write as it is now. */
    AdmissionExpressions expressions(Invocation invocation, AdmissionAttributes attributes) {
        Map<String, @Nullable JsonNode> inputs = inputs(invocation, attributes);
        inputs.put("namespaceObject", namespace(attributes));
        Map<String, String> variables = new LinkedHashMap<>();
        invocation
                .spec()
                .path("variables")
                .forEach(v -> variables.put(Json.text(v, "name"), Json.text(v, "expression")));
        return questions.expressions(inputs, attributes, variables);
    }

    private static Map<String, @Nullable JsonNode> inputs(Invocation invocation, AdmissionAttributes attributes) {
        Map<String, @Nullable JsonNode> inputs = new HashMap<>();
        inputs.put("object", attributes.object());
        inputs.put("oldObject", attributes.old());
        inputs.put("request", AdmissionRequests.withoutObjects(attributes, invocation.as()));
        inputs.put("params", invocation.param());
        inputs.put("namespaceObject", null);
        return inputs;
    }

    private @Nullable JsonNode namespace(AdmissionAttributes attributes) {
        String name = attributes.call().namespace;
        Stored stored = name == null ? null : store.get(Gvr.NAMESPACES, Key.of(null, name));
        return stored == null ? null : stored.object();
    }

    /**
     * What the match conditions say, which see no namespace and no variables.
     *
     * @param errors which are added to, if none of them says no
     * @return whether one of them says no
     */
    boolean spare(Invocation invocation, AdmissionAttributes attributes, List<String> errors) {
        AdmissionExpressions expressions = questions.expressions(inputs(invocation, attributes), attributes, Map.of());
        List<String> own = new ArrayList<>();
        for (JsonNode condition : invocation.spec().path("matchConditions")) {
            AdmissionExpressions.Outcome outcome = expressions.evaluate(Json.text(condition, "expression"));
            if (outcome.isFalse()) {
                return true;
            }
            if (!outcome.error().isEmpty()) {
                own.add(outcome.error());
            }
        }
        if (!own.isEmpty()) {
            errors.add(own.size() == 1 ? own.get(0) : "[" + String.join(", ", own) + "]");
        }
        return false;
    }
}
