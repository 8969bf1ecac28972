package dev.sro.core.client.rights;

import dev.sro.api.PluginDescriptor;
import dev.sro.api.driver.BuildPlanner;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plugin.LoadedPlugin;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rights that somebody needs, in one place. Immutable.
 *
 * @param name of the role
 * @param namespace where the rules hold; empty for the whole cluster
 * @param askedBy for the person who grants them: {@code SRO}, or a plugin
 * @param rules what is granted
 */
public record Grant(String name, String namespace, String askedBy, List<PolicyRule> rules) {

    /** The name of everything that belongs to the operator itself, its lease included. */
    public static final String NAME = "special-resource-operator";

    /**
     * What is granted whatever the plugins are.
     *
     * @param builds what builds of images of drivers need
     * @param partitioning what {@code spec.partitioning} needs beyond taints and tolerations: who may write admission policies can change
     *     every pod
     */
    public record Further(boolean builds, boolean partitioning) {
        /** Nothing. */
        public static final Further NOTHING = new Further(false, false);
    }

    private static final String SRO = "SRO";
    private static final String BUILDS = NAME + "-builds";

    /** Copies the list. */
    public Grant {
        rules = List.copyOf(rules);
    }

    /**
     * All rights of an operator in this namespace with these plugins. A plugin that needs nothing has no grant.
     *
     * @param namespace the operator's own
     */
    public static List<Grant> all(String namespace, List<LoadedPlugin> plugins, Further further) {
        List<Grant> grants = all(namespace, Optional.of(NAME), plugins, further, RecipeAccount.DEFAULT);
        grants.add(new Grant(NAME + "-metrics", "", SRO, ClientRules.reviews()));
        return grants;
    }

    /**
     * The same.
     *
     * @param lease name of its lease; empty without one
     * @param account by whose rights recipes are applied; empty for the operator's own
     */
    public static List<Grant> all(
            String namespace, Optional<String> lease, List<LoadedPlugin> plugins, Further further, String account) {
        List<Grant> grants = new ArrayList<>();
        grants.add(new Grant(NAME, "", SRO, ClientRules.cluster()));
        if (!account.isEmpty()) {
            grants.add(recipeAccounts(account));
        }
        if (further.partitioning()) {
            grants.add(partitioning());
        }
        grants.add(new Grant(NAME + "-events", ClientRules.EVENT_NAMESPACE, SRO, ClientRules.events()));
        lease.ifPresent(name -> grants.add(new Grant(NAME + "-lease", namespace, SRO, lease(name))));
        Optional<Grant> building = further.builds() ? Optional.of(builds()) : building(plugins);
        building.ifPresent(grants::add);
        plugins.forEach(plugin -> plugin(plugin).ifPresent(grants::add));
        return grants;
    }

    /** What one plugin needs; empty if that is nothing. */
    public static Optional<Grant> plugin(LoadedPlugin plugin) {
        PluginDescriptor descriptor = plugin.descriptor();
        List<PolicyRule> rules = ClientRules.plugin(descriptor);
        return rules.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Grant(NAME + "-plugin-" + descriptor.name(), "", "plugin " + descriptor.name(), rules));
    }

    /** What accounts of recipes get in the namespaces of their operands: a ClusterRole that the operator binds there, and has not itself. */
    public static Grant recipes() {
        return new Grant(AccountManifests.ROLE, "", "recipes", ClientRules.recipes());
    }

    /** What making accounts of recipes, and acting as them, needs. */
    public static Grant recipeAccounts(String account) {
        return new Grant(NAME + "-recipe-accounts", "", SRO, ClientRules.recipeAccounts(account));
    }

    /** What {@code spec.partitioning} needs beyond taints and tolerations, for whoever installs. */
    public static Grant partitioning() {
        return new Grant(NAME + "-partitioning", "", SRO, ClientRules.partitioning());
    }

    /** What builds of images of drivers need, for whoever installs. */
    public static Grant builds() {
        return new Grant(BUILDS, "", SRO, ClientRules.builds());
    }

    /** The same because plugins say how their images are built. */
    private static Optional<Grant> building(List<LoadedPlugin> plugins) {
        List<String> names =
                plugins.stream().filter(Grant::builds).map(LoadedPlugin::name).toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Grant(BUILDS, "", "builds of plugin " + String.join(", ", names), ClientRules.builds()));
    }

    /** A name cannot be asked for when something is created. */
    private static List<PolicyRule> lease(String name) {
        return List.of(
                new PolicyRuleBuilder()
                        .withApiGroups("coordination.k8s.io")
                        .withResources("leases")
                        .withVerbs("create")
                        .build(),
                new PolicyRuleBuilder()
                        .withApiGroups("coordination.k8s.io")
                        .withResources("leases")
                        .withResourceNames(name)
                        .withVerbs("get", "patch")
                        .build());
    }

    /** Whether somebody who chooses this plugin has to grant what builds of images need. */
    public static boolean builds(LoadedPlugin plugin) {
        return plugin.plugin() instanceof BuildPlanner;
    }

    /** Whether the rules hold in the whole cluster. */
    public boolean isClusterWide() {
        return namespace.isEmpty();
    }

    /** A table of rights, of at most 120 columns: each rule with where it holds and who asked for it. */
    public static String table(List<Grant> grants) {
        return RightsTable.of(grants);
    }
}
