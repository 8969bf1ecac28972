package dev.sro.runtime.operator;

import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Rights that roles grant, as {@link RightsLog} has those that were used. Stateless. */
final class GrantedRights {
    private GrantedRights() {}

    /** What the roles have that were made for operands: who makes a role has to have what is in it. */
    static SortedSet<String> passedOn(KubernetesClient client) {
        List<HasMetadata> roles = new ArrayList<>();
        roles.addAll(client.rbac()
                .roles()
                .inAnyNamespace()
                .withLabel(MetadataKeys.OWNED, "true")
                .list()
                .getItems());
        roles.addAll(client.rbac()
                .clusterRoles()
                .withLabel(MetadataKeys.OWNED, "true")
                .list()
                .getItems());
        return of(roles);
    }

    /** What these roles grant, each as {@code resource.group verb}. */
    static SortedSet<String> of(List<HasMetadata> access) {
        SortedSet<String> granted = new TreeSet<>();
        for (HasMetadata object : access) {
            List<PolicyRule> rules = object instanceof ClusterRole role
                    ? role.getRules()
                    : object instanceof Role role ? role.getRules() : List.of();
            for (PolicyRule rule : rules) {
                for (String group : rule.getApiGroups()) {
                    for (String resource : rule.getResources()) {
                        String full = resource.contains("/")
                                ? resource.replaceFirst("/", (group.isEmpty() ? "" : "." + group) + "/")
                                : resource + (group.isEmpty() ? "" : "." + group);
                        rule.getVerbs().forEach(verb -> granted.add(full + " " + verb));
                    }
                }
            }
        }
        return granted;
    }
}
