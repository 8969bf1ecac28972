package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.AdmissionExpressions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which admission policies are about a write, with which bindings and parameters. Called with the store's lock held. */
final class PolicyInvocations {
    private static final String NO_PARAMS =
            "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";

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
    private final Gvr policies;
    private final Gvr bindings;

    PolicyInvocations(Store store, ResourceRegistry registry, AdmissionMatcher matcher, Gvr policies, Gvr bindings) {
        this.store = store;
        this.registry = registry;
        this.matcher = matcher;
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
            String name = Json.name(policy.object());
            for (Stored binding : store.table(bindings).in(null)) {
                if (Json.text(binding.object(), "spec", "policyName").equals(name)
                        && isWithin(binding.object(), attributes)) {
                    bound(policy.object(), binding.object(), as, attributes, found);
                }
            }
        }
        return found;
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
        boolean any = false;
        ResourceType type = registry.find(Json.text(kind, "apiVersion"), Json.text(kind, "kind"))
                .orElse(null);
        if (type != null) {
            String own = Json.text(reference, "namespace");
            String namespace = type.namespaced() ? (own.isEmpty() ? attributes.call().namespace : own) : null;
            String name = Json.text(reference, "name");
            for (Stored stored : store.table(type.storage()).in(namespace)) {
                boolean wanted = name.isEmpty()
                        ? LabelSelector.of(reference.path("selector")).matchesObject(stored.object())
                        : Json.name(stored.object()).equals(name);
                if (wanted) {
                    any = true;
                    found.add(new Invocation(policy, binding, as, stored.object(), ""));
                }
            }
        }
        if (!any && !Json.text(reference, "parameterNotFoundAction").equals("Allow")) {
            found.add(new Invocation(policy, binding, as, null, NO_PARAMS));
        }
    }

    /** The expressions of a policy, on the values of the write as it is now. */
    AdmissionExpressions expressions(Invocation invocation, AdmissionAttributes attributes) {
        Map<String, @Nullable JsonNode> inputs = new HashMap<>();
        inputs.put("object", attributes.object());
        inputs.put("oldObject", attributes.old());
        inputs.put("request", AdmissionRequests.withoutObjects(attributes, invocation.as()));
        inputs.put("params", invocation.param());
        inputs.put("namespaceObject", namespace(attributes));
        Map<String, String> variables = new LinkedHashMap<>();
        invocation
                .spec()
                .path("variables")
                .forEach(v -> variables.put(Json.text(v, "name"), Json.text(v, "expression")));
        return new AdmissionExpressions(inputs, variables);
    }

    private @Nullable JsonNode namespace(AdmissionAttributes attributes) {
        String name = attributes.call().namespace;
        Stored stored = name == null ? null : store.get(Gvr.NAMESPACES, Key.of(null, name));
        return stored == null ? null : stored.object();
    }

    /**
     * What the match conditions say.
     *
     * @param errors which are added to, if none of them says no
     * @return whether one of them says no
     */
    static boolean spare(JsonNode conditions, AdmissionExpressions expressions, List<String> errors) {
        List<String> own = new ArrayList<>();
        for (JsonNode condition : conditions) {
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
