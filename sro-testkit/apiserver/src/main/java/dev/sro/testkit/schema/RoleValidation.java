package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of roles and of what binds them. One use. */
final class RoleValidation {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private final Checks checks = new Checks(new ArrayList<>());
    private final boolean cluster;

    private RoleValidation(boolean cluster) {
        this.cluster = cluster;
    }

    static List<FieldError> role(String kind, ObjectNode object) {
        RoleValidation v = new RoleValidation(kind.equals("ClusterRole"));
        List<ObjectNode> rules = JsonTree.objects(object, "rules");
        for (int i = 0; i < rules.size(); i++) {
            v.rule(rules.get(i), "rules[" + i + "]");
        }
        if (object.get("aggregationRule") instanceof ObjectNode aggregation) {
            v.aggregation(JsonTree.objects(aggregation, "clusterRoleSelectors"));
        }
        return v.checks.errors();
    }

    private void aggregation(List<ObjectNode> selectors) {
        String path = "aggregationRule.clusterRoleSelectors";
        if (selectors.isEmpty()) {
            checks.required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil");
        }
        for (int i = 0; i < selectors.size(); i++) {
            String at = path + "[" + i + "]";
            int before = checks.errors().size();
            checks.selector(selectors.get(i), at);
            if (checks.errors().size() > before) {
                checks.invalid(at, NullNode.getInstance(), "invalid label selector.");
            }
        }
    }

    private void rule(ObjectNode rule, String at) {
        if (rule.path("verbs").isEmpty()) {
            checks.required(at + ".verbs", "verbs must contain at least one value");
        }
        boolean urls = !rule.path("nonResourceURLs").isEmpty();
        boolean resources = !rule.path("apiGroups").isEmpty()
                || !rule.path("resources").isEmpty()
                || !rule.path("resourceNames").isEmpty();
        if (urls && !cluster) {
            checks.invalid(
                    at + ".nonResourceURLs",
                    rule.get("nonResourceURLs"),
                    "namespaced rules cannot apply to non-resource URLs");
        }
        if (urls && resources) {
            checks.invalid(
                    at + ".nonResourceURLs",
                    rule.get("nonResourceURLs"),
                    "rules cannot apply to both regular resources and non-resource URLs");
        }
        if (!urls) {
            some(rule, "apiGroups", at, "resource rules must supply at least one api group");
            some(rule, "resources", at, "resource rules must supply at least one resource");
        }
    }

    private void some(ObjectNode rule, String field, String at, String why) {
        if (rule.path(field).isEmpty()) {
            checks.required(at + "." + field, why);
        }
    }

    static List<FieldError> binding(String kind, ObjectNode object, @Nullable ObjectNode old) {
        RoleValidation v = new RoleValidation(kind.equals("ClusterRoleBinding"));
        JsonNode ref = object.path("roleRef");
        v.reference(ref);
        List<ObjectNode> subjects = JsonTree.objects(object, "subjects");
        for (int i = 0; i < subjects.size(); i++) {
            v.subject(subjects.get(i), "subjects[" + i + "]");
        }
        if (old != null && !ref.equals(old.path("roleRef"))) {
            v.checks.invalid("roleRef", dump(ref), "cannot change roleRef");
        }
        return v.checks.errors();
    }

    private void reference(JsonNode ref) {
        String group = JsonTree.text(ref, "apiGroup");
        if (!group.equals(GROUP)) {
            checks.notSupported("roleRef.apiGroup", group, GROUP);
        }
        String kind = JsonTree.text(ref, "kind");
        if (cluster && !kind.equals("ClusterRole")) {
            checks.notSupported("roleRef.kind", kind, "ClusterRole");
        } else if (!cluster && !kind.equals("ClusterRole") && !kind.equals("Role")) {
            checks.notSupported("roleRef.kind", kind, "Role", "ClusterRole");
        }
        checks.presentSegment(ref, "name", "roleRef");
    }

    private void subject(ObjectNode subject, String at) {
        String kind = JsonTree.text(subject, "kind");
        String name = JsonTree.text(subject, "name");
        checks.present(subject, "name", at);
        String wanted = kind.equals("ServiceAccount") ? "" : GROUP;
        boolean known = List.of("ServiceAccount", "User", "Group").contains(kind);
        if (!known) {
            checks.notSupported(at + ".kind", kind, "ServiceAccount", "User", "Group");
            return;
        }
        if (!JsonTree.text(subject, "apiGroup").equals(wanted)) {
            checks.notSupported(at + ".apiGroup", JsonTree.text(subject, "apiGroup"), wanted);
        }
        if (kind.equals("ServiceAccount")) {
            if (!name.isEmpty()) {
                checks.subdomain(name, at + ".name");
            }
            // In a namespace of its own an account needs none.
            if (cluster) {
                checks.present(subject, "namespace", at);
            }
        }
    }

    /** The reference as the server's internal struct prints it. */
    private static ObjectNode dump(JsonNode ref) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("APIGroup", JsonTree.text(ref, "apiGroup"))
                .put("Kind", JsonTree.text(ref, "kind"))
                .put("Name", JsonTree.text(ref, "name"));
    }
}
