package dev.sro.testkit.recipes;

import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.RecipeAccount;
import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;

/** An operator with the rights of an installation that has neither plugins nor builds, and nothing granted since. */
public final class LeastRights {

    private static final String NAME = "special-resource-operator";

    private LeastRights() {}

    /** Operators that are started from now on have no more than these. */
    public static void of(SroSandbox sandbox) {
        of(sandbox, List.of(), List.of());
    }

    /**
     * The same and some.
     *
     * @param operator what the operator may, too
     * @param recipes what accounts of recipes may, too
     */
    public static void of(SroSandbox sandbox, List<PolicyRule> operator, List<PolicyRule> recipes) {
        KubernetesClient admin = sandbox.client();
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .build())
                .create();
        admin.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(NAME)
                        .withName(NAME)
                        .endMetadata()
                        .build())
                .create();
        List<PolicyRule> rules = new ArrayList<>(ClientRules.cluster());
        rules.addAll(ClientRules.recipeAccounts(RecipeAccount.DEFAULT));
        rules.addAll(ClientRules.events());
        rules.addAll(operator);
        role(admin, NAME, rules);
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", NAME)
                        .addNewSubject("", "ServiceAccount", NAME, NAME)
                        .build())
                .create();
        if (admin.rbac().clusterRoles().withName(AccountManifests.ROLE).get() == null) {
            List<PolicyRule> all = new ArrayList<>(ClientRules.recipes());
            all.addAll(recipes);
            role(admin, AccountManifests.ROLE, all);
        }
        sandbox.operatorAccount(NAME, NAME).recipeAccount(RecipeAccount.DEFAULT);
    }

    private static void role(KubernetesClient admin, String name, List<PolicyRule> rules) {
        admin.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .create();
    }
}
