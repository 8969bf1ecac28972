package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.client.rights.Grant;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Roles of the operator, and what binds them to its service account. Immutable.
 *
 * @param namespace of the operator, or its place in a chart
 */
record RoleObjects(Object namespace) {

    private static final String API_RBAC = "rbac.authorization.k8s.io/v1";
    private static final String RBAC_GROUP = "rbac.authorization.k8s.io";

    /** What the operator binds to accounts of recipes: not its own, so nothing binds it here. */
    static Map<String, Object> recipes() {
        Grant grant = Grant.recipes();
        return map(
                "apiVersion",
                API_RBAC,
                "kind",
                "ClusterRole",
                "metadata",
                map("name", grant.name(), "labels", Installation.labels()),
                "rules",
                grant.rules().stream().map(RoleObjects::tree).toList());
    }

    List<Map<String, Object>> of(List<Grant> grants) {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Grant grant : grants) {
            String kind = grant.isClusterWide() ? "ClusterRole" : "Role";
            Map<String, Object> role = object(grant, kind);
            role.put("rules", grant.rules().stream().map(RoleObjects::tree).toList());
            Map<String, Object> binding = object(grant, kind + "Binding");
            binding.put("roleRef", map("apiGroup", RBAC_GROUP, "kind", kind, "name", grant.name()));
            binding.put("subjects", list(map("kind", "ServiceAccount", "name", Grant.NAME, "namespace", namespace)));
            objects.add(role);
            objects.add(binding);
        }
        return objects;
    }

    private Map<String, Object> object(Grant grant, String kind) {
        Map<String, Object> metadata = map("name", grant.name());
        if (!grant.isClusterWide()) {
            metadata.put(
                    "namespace", grant.namespace().equals(ClientRules.EVENT_NAMESPACE) ? grant.namespace() : namespace);
        }
        metadata.put("labels", Installation.labels());
        return map("apiVersion", API_RBAC, "kind", kind, "metadata", metadata);
    }

    static Map<String, Object> tree(PolicyRule rule) {
        Map<String, Object> tree = map();
        if (!rule.getResources().isEmpty()) {
            tree.put("apiGroups", rule.getApiGroups());
            tree.put("resources", rule.getResources());
        }
        if (!rule.getResourceNames().isEmpty()) {
            tree.put("resourceNames", rule.getResourceNames());
        }
        if (!rule.getNonResourceURLs().isEmpty()) {
            tree.put("nonResourceURLs", rule.getNonResourceURLs());
        }
        tree.put("verbs", rule.getVerbs());
        return tree;
    }
}
