package dev.sro.runtime.install;

import dev.sro.api.PluginDescriptor;
import dev.sro.core.client.ClientRules;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.runtime.operator.OperatorCommand;
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
record Grant(String name, String namespace, String askedBy, List<PolicyRule> rules) {

    /** The name of everything that belongs to the operator itself. */
    static final String NAME = "special-resource-operator";

    private static final String SRO = "SRO";
    private static final String BUILDS = NAME + "-builds";

    Grant {
        rules = List.copyOf(rules);
    }

    /**
     * All rights of an operator in this namespace with these plugins. A plugin that needs nothing has no grant.
     *
     * @param namespace the operator's own
     * @param builds whether images of drivers are built, whatever the plugins are
     */
    static List<Grant> all(String namespace, List<LoadedPlugin> plugins, boolean builds) {
        List<Grant> grants = new ArrayList<>();
        grants.add(new Grant(NAME, "", SRO, ClientRules.cluster()));
        grants.add(new Grant(NAME + "-partitioning", "", SRO, ClientRules.partitioning()));
        grants.add(new Grant(NAME + "-events", ClientRules.EVENT_NAMESPACE, SRO, ClientRules.events()));
        grants.add(new Grant(NAME + "-lease", namespace, SRO, lease()));
        Optional<Grant> building = builds ? Optional.of(builds()) : building(plugins);
        building.ifPresent(grants::add);
        plugins.forEach(plugin -> plugin(plugin).ifPresent(grants::add));
        return grants;
    }

    /** What one plugin needs; empty if that is nothing. */
    static Optional<Grant> plugin(LoadedPlugin plugin) {
        PluginDescriptor descriptor = plugin.descriptor();
        List<PolicyRule> rules = ClientRules.plugin(descriptor);
        return rules.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Grant(NAME + "-plugin-" + descriptor.name(), "", "plugin " + descriptor.name(), rules));
    }

    /** What builds of images of drivers need, for whoever installs. */
    static Grant builds() {
        return new Grant(BUILDS, "", SRO, ClientRules.builds());
    }

    /** The same because plugins say how their images are built. */
    private static Optional<Grant> building(List<LoadedPlugin> plugins) {
        List<String> names =
                plugins.stream().filter(Choice::builds).map(LoadedPlugin::name).toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Grant(BUILDS, "", "builds of plugin " + String.join(", ", names), ClientRules.builds()));
    }

    /** A name cannot be asked for when something is created. */
    private static List<PolicyRule> lease() {
        return List.of(
                new PolicyRuleBuilder()
                        .withApiGroups("coordination.k8s.io")
                        .withResources("leases")
                        .withVerbs("create")
                        .build(),
                new PolicyRuleBuilder()
                        .withApiGroups("coordination.k8s.io")
                        .withResources("leases")
                        .withResourceNames(OperatorCommand.LEASE)
                        .withVerbs("get", "patch")
                        .build());
    }

    boolean isClusterWide() {
        return namespace.isEmpty();
    }
}
