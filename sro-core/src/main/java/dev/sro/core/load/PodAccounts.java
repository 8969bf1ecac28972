package dev.sro.core.load;

import dev.sro.core.model.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whom pods run as that SRO lets change nodes. Stateless. */
public final class PodAccounts {

    private static final String RBAC = "rbac.authorization.k8s.io";

    private PodAccounts() {}

    /** The account, and on OpenShift the right to do on a node what loading takes. */
    public static List<KubeObject> create(String name, String namespace, boolean openShift) {
        List<KubeObject> objects = new ArrayList<>();
        objects.add(object("v1", "ServiceAccount", name, Map.of()));
        if (openShift) {
            Map<String, Object> rule = new LinkedHashMap<>();
            rule.put("apiGroups", List.of("security.openshift.io"));
            rule.put("resources", List.of("securitycontextconstraints"));
            rule.put("resourceNames", List.of("privileged"));
            rule.put("verbs", List.of("use"));
            objects.add(object(RBAC + "/v1", "Role", name, Map.of("rules", List.of(rule))));
            Map<String, Object> binding = new LinkedHashMap<>();
            binding.put("roleRef", OrderedMaps.map("apiGroup", RBAC, "kind", "Role", "name", name));
            binding.put(
                    "subjects",
                    List.of(OrderedMaps.map("kind", "ServiceAccount", "name", name, "namespace", namespace)));
            objects.add(object(RBAC + "/v1", "RoleBinding", name, binding));
        }
        return objects;
    }

    private static KubeObject object(String apiVersion, String kind, String name, Map<String, Object> content) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", apiVersion);
        tree.put("kind", kind);
        tree.put("metadata", Map.of("name", name));
        tree.putAll(content);
        return KubeObject.of(tree);
    }
}
