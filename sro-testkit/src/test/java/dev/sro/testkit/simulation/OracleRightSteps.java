package dev.sro.testkit.simulation;

import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.manifest.AccountManifests;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What an administrator does with rights: of accounts of recipes, and of the operator. For one history. */
final class OracleRightSteps {

    private static final String[] ALL = {"get", "list", "watch", "create", "update", "patch", "delete"};

    /** What the plugins of histories have, and nothing of what charts have. */
    static final List<PolicyRule> OF_PLUGINS =
            List.of(rule("apps", "daemonsets"), rule("", "pods"), rule("", "services"), rule("", "configmaps"));

    /** What a chart of histories has that is not in the role that is installed. */
    static final List<PolicyRule> OF_RECIPES = List.of(rule("widgets.example.com", "widgets"));

    private static final String OPERATOR = "special-resource-operator";

    private final OracleWorld world;

    OracleRightSteps(OracleWorld world) {
        this.world = world;
    }

    private static PolicyRule rule(String group, String resource) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(ALL)
                .build();
    }

    private KubernetesClient admin() {
        return world.sandbox.client();
    }

    void step(Random random) {
        switch (random.nextInt(6)) {
            case 0 -> delete(RoleBinding.class, "sro-recipe-rights", random);
            case 1 -> delete(ServiceAccount.class, "sro-recipe", random);
            case 2 -> {
                List<PolicyRule> rules = new ArrayList<>(rules(AccountManifests.ROLE));
                if (!rules.isEmpty()) {
                    PolicyRule taken = rules.remove(random.nextInt(rules.size()));
                    world.log.add("recipes may not have " + taken.getResources());
                    set(AccountManifests.ROLE, rules);
                }
            }
            case 3 -> recipesMayAll();
            case 4 -> {
                world.log.add("the operator may see what charts have");
                List<PolicyRule> rules = new ArrayList<>(rules(OPERATOR));
                rules.addAll(SEEN);
                set(OPERATOR, rules);
            }
            default -> operatorMaySeeNoMore();
        }
    }

    /** In the end recipes have their rights again. */
    void end() {
        if (!rules(AccountManifests.ROLE).isEmpty()) {
            recipesMayAll();
        }
    }

    private static final List<PolicyRule> SEEN = List.of(rule("apps", "deployments"), rule("", "secrets"));

    private void operatorMaySeeNoMore() {
        world.log.add("the operator may not see what charts have");
        List<PolicyRule> rules = new ArrayList<>(rules(OPERATOR));
        rules.removeAll(SEEN);
        set(OPERATOR, rules);
    }

    private void recipesMayAll() {
        world.log.add("recipes may have what is installed");
        List<PolicyRule> rules = new ArrayList<>(ClientRules.recipes());
        rules.addAll(OF_RECIPES);
        set(AccountManifests.ROLE, rules);
    }

    private <T extends HasMetadata> void delete(Class<T> kind, String name, Random random) {
        List<T> found = admin().resources(kind).inAnyNamespace().list().getItems().stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .toList();
        if (!found.isEmpty()) {
            T one = found.get(random.nextInt(found.size()));
            world.log.add("delete " + one.getKind() + " " + one.getMetadata().getNamespace() + "/" + name);
            admin().resource(one).delete();
        }
    }

    private List<PolicyRule> rules(String role) {
        ClusterRole found = admin().rbac().clusterRoles().withName(role).get();
        return found == null ? List.of() : found.getRules();
    }

    private void set(String role, List<PolicyRule> rules) {
        admin().rbac().clusterRoles().withName(role).edit(found -> {
            found.setRules(rules);
            return found;
        });
    }
}
