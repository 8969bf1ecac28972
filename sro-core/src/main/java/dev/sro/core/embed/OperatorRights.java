package dev.sro.core.embed;

import dev.sro.core.client.rights.Grant;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The rights that a {@link SpecialResourceOperator} needs at the API server, with its plugins: for roles. Immutable. */
public final class OperatorRights {

    private final List<Grant> grants;

    OperatorRights(List<Grant> grants) {
        this.grants = List.copyOf(grants);
    }

    /** For a ClusterRole and a ClusterRoleBinding. */
    public List<PolicyRule> cluster() {
        return grants.stream()
                .filter(Grant::isClusterWide)
                .flatMap(grant -> grant.rules().stream())
                .toList();
    }

    /**
     * For the ClusterRole {@code special-resource-operator-recipes}, which is bound to accounts of recipes and not to the operator; not
     * needed where these are applied by the operator's own rights.
     */
    public List<PolicyRule> recipes() {
        return Grant.recipes().rules();
    }

    /** For another ClusterRole of the operator, where special resources are partitioned by more than taints. */
    public List<PolicyRule> partitioning() {
        return Grant.partitioning().rules();
    }

    /** For Roles and RoleBindings, by namespace. */
    public SortedMap<String, List<PolicyRule>> namespaced() {
        SortedMap<String, List<PolicyRule>> rules = new TreeMap<>();
        grants.stream()
                .filter(grant -> !grant.isClusterWide())
                .forEach(grant -> rules.merge(
                        grant.namespace(),
                        grant.rules(),
                        (one, other) ->
                                Stream.concat(one.stream(), other.stream()).toList()));
        return rules;
    }

    /** The table that {@code sro rbac} prints: resources, verbs, where, and who asked for it. */
    @Override
    public String toString() {
        return Grant.table(grants);
    }
}
