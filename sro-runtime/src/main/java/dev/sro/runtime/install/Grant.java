package dev.sro.runtime.install;

import dev.sro.api.PluginDescriptor;
import dev.sro.core.client.ClientRules;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.runtime.operator.OperatorCommand;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;

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

    Grant {
        rules = List.copyOf(rules);
    }

    /**
     * All rights of an operator in this namespace with these plugins. A plugin that needs nothing has no grant.
     *
     * @param namespace the operator's own
     */
    static List<Grant> all(String namespace, List<LoadedPlugin> plugins) {
        List<Grant> grants = new ArrayList<>();
        grants.add(new Grant(NAME, "", SRO, ClientRules.cluster()));
        grants.add(new Grant(NAME + "-events", ClientRules.EVENT_NAMESPACE, SRO, ClientRules.events()));
        grants.add(new Grant(NAME + "-lease", namespace, SRO, lease()));
        for (LoadedPlugin plugin : plugins) {
            PluginDescriptor descriptor = plugin.descriptor();
            List<PolicyRule> rules = ClientRules.plugin(descriptor);
            if (!rules.isEmpty()) {
                grants.add(new Grant(NAME + "-plugin-" + descriptor.name(), "", "plugin " + descriptor.name(), rules));
            }
        }
        return grants;
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
