package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules that roles and their bindings in the store give to users. Guarded by the store's lock. */
final class RbacRules {
    private static final String GROUP = "rbac.authorization.k8s.io";
    private static final Gvr ROLES = new Gvr(GROUP, "v1", "roles");
    private static final Gvr CLUSTER_ROLES = new Gvr(GROUP, "v1", "clusterroles");
    private static final Gvr BINDINGS = new Gvr(GROUP, "v1", "rolebindings");
    private static final Gvr CLUSTER_BINDINGS = new Gvr(GROUP, "v1", "clusterrolebindings");

    /** A rule and where it comes from, in the words of the server's reasons. */
    record Granted(JsonNode rule, String source) {}

    private final Store store;

    RbacRules(Store store) {
        this.store = store;
    }

    /**
     * All rules of a user that hold in a namespace.
     *
     * @param namespace null for the cluster scope
     * @param faults gets the roles that are bound to the user and are not there
     */
    List<Granted> of(Subject subject, @Nullable String namespace, Set<String> faults) {
        List<Granted> all = new ArrayList<>();
        for (Stored binding : store.table(CLUSTER_BINDINGS).objects.values()) {
            collect(binding.object(), subject, null, all, faults);
        }
        if (namespace != null) {
            for (Stored binding : store.table(BINDINGS).in(namespace)) {
                collect(binding.object(), subject, namespace, all, faults);
            }
        }
        return all;
    }

    private void collect(
            JsonNode binding, Subject subject, @Nullable String namespace, List<Granted> all, Set<String> faults) {
        String who = subjectOf(binding, subject, namespace);
        if (who == null) {
            return;
        }
        String kind = Json.text(binding, "roleRef", "kind");
        String name = Json.text(binding, "roleRef", "name");
        List<JsonNode> rules = ofRole(kind, name, namespace);
        if (rules == null) {
            faults.add(kind.toLowerCase(Locale.ROOT) + ".rbac.authorization.k8s.io \"" + name + "\" not found");
            return;
        }
        String at = Json.name(binding) + (namespace == null ? "" : "/" + namespace);
        String source = "RBAC: allowed by " + (namespace == null ? "ClusterRoleBinding" : "RoleBinding") + " \"" + at
                + "\" of " + kind + " \"" + name + "\" to " + who;
        rules.forEach(rule -> all.add(new Granted(rule, source)));
    }

    /** The rules of a role; null if there is no such role. */
    @Nullable List<JsonNode> ofRole(String kind, String name, @Nullable String namespace) {
        Stored role = kind.equals("Role")
                ? store.get(ROLES, Key.of(namespace, name))
                : store.get(CLUSTER_ROLES, Key.of(null, name));
        if (role == null) {
            return kind.equals("Role")
                    ? null
                    : DefaultRoles.rules(
                            name, store.table(CLUSTER_ROLES).objects.values());
        }
        return Json.elements(role.object().path("rules"));
    }

    private static @Nullable String subjectOf(JsonNode binding, Subject subject, @Nullable String namespace) {
        for (JsonNode s : binding.path("subjects")) {
            String name = Json.text(s, "name");
            switch (Json.text(s, "kind")) {
                case "User" -> {
                    if (name.equals(subject.user())) {
                        return "User \"" + name + "\"";
                    }
                }
                case "Group" -> {
                    if (subject.groups().contains(name)) {
                        return "Group \"" + name + "\"";
                    }
                }
                default -> {
                    String its = Json.text(s, "namespace");
                    String space = its.isEmpty() && namespace != null ? namespace : its;
                    if (subject.user().equals("system:serviceaccount:" + space + ":" + name)) {
                        return "ServiceAccount \"" + name + "/" + space + "\"";
                    }
                }
            }
        }
        return null;
    }
}
