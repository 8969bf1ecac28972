package dev.sro.runtime.rights;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.client.rights.Grant;
import dev.sro.runtime.install.OperatorParts;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Roles and bindings that give a recipe what it needs, part by part. Stateless. */
final class RecipeGrants {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private RecipeGrants() {}

    /**
     * Objects to apply, under a sentence that says what each part is.
     *
     * @param specialResource its name
     * @param operator namespace of the operator
     */
    static Map<String, List<Map<String, Object>>> of(String specialResource, RecipeNeeds needs, String operator) {
        Map<String, List<Map<String, Object>>> parts = new LinkedHashMap<>();
        String name = RecipeNeeds.role(specialResource);
        Map<String, Object> account =
                subject(needs.account().name(), needs.account().namespace());
        String own = needs.account().namespace();
        List<PolicyRule> here = needs.byNamespace().getOrDefault(own, List.of());
        if (!here.isEmpty()) {
            parts.put(needs.account() + ": in the namespace of the operands", grant(name, own, here, account));
        }
        needs.byNamespace().forEach((namespace, rules) -> {
            if (!namespace.isEmpty() && !namespace.equals(own)) {
                parts.put(
                        needs.account() + ": in namespace " + namespace + ", which is not that of the operands",
                        grant(name, namespace, rules, account));
            }
        });
        List<PolicyRule> cluster = needs.byNamespace().getOrDefault("", List.of());
        if (!cluster.isEmpty()) {
            parts.put(
                    needs.account() + ": in the whole cluster. Who writes the recipe then acts there",
                    grant(name, "", cluster, account));
        }
        Map<String, Object> sro = subject(Grant.NAME, operator);
        parts.put(
                "SRO: to see in all namespaces what the recipe has made", grant(name + "-seen", "", needs.seen(), sro));
        if (!needs.isStandard()) {
            PolicyRule act = new PolicyRuleBuilder()
                    .withApiGroups("")
                    .withResources("serviceaccounts")
                    .withResourceNames(needs.account().name())
                    .withVerbs("impersonate")
                    .build();
            parts.put("SRO: to act as that account", grant(name + "-account", own, List.of(act), sro));
        }
        return parts;
    }

    private static Map<String, Object> subject(String name, String namespace) {
        return map("kind", "ServiceAccount", "name", name, "namespace", namespace);
    }

    /** @param namespace empty for the whole cluster */
    private static List<Map<String, Object>> grant(
            String name, String namespace, List<PolicyRule> rules, Map<String, Object> subject) {
        String kind = namespace.isEmpty() ? "ClusterRole" : "Role";
        List<Map<String, Object>> objects = new ArrayList<>();
        objects.add(object(
                kind,
                name,
                namespace,
                "rules",
                rules.stream().map(OperatorParts::rule).toList()));
        Map<String, Object> binding = object(
                kind + "Binding", name, namespace, "roleRef", map("apiGroup", GROUP, "kind", kind, "name", name));
        binding.put("subjects", list(subject));
        objects.add(binding);
        return objects;
    }

    private static Map<String, Object> object(String kind, String name, String namespace, String field, Object value) {
        Map<String, Object> metadata = map("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return map("apiVersion", GROUP + "/v1", "kind", kind, "metadata", metadata, field, value);
    }
}
