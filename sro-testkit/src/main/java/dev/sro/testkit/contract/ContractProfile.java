package dev.sro.testkit.contract;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A configuration that a plugin supports, and the cluster for it. Which objects a plugin makes depends on settings and platform, so
 * the rights that it needs are those of all its profiles together: see {@link AcceleratorPluginContract#profiles()}. Immutable.
 *
 * @param name for messages
 * @param specialResource YAML of a special resource for the plugin
 * @param nodes nodes with the device, by name; at least one
 * @param openShift whether the cluster serves OpenShift's APIs
 * @param prepare brings the cluster to where the plugin expects it, for instance by {@link SroSandbox#serve}
 */
public record ContractProfile(
        String name,
        String specialResource,
        Map<String, NodeProfile> nodes,
        boolean openShift,
        Consumer<SroSandbox> prepare) {

    /** Copies the nodes. */
    public ContractProfile {
        nodes = Map.copyOf(nodes);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("profile " + name + " has no node; give it one with the device");
        }
    }

    /** On a vanilla cluster that needs no preparation. */
    public static ContractProfile of(String name, String specialResource, Map<String, NodeProfile> nodes) {
        return new ContractProfile(name, specialResource, nodes, false, sandbox -> {});
    }

    /** The same on a cluster that serves OpenShift's APIs. */
    public ContractProfile onOpenShift() {
        return new ContractProfile(name, specialResource, nodes, true, prepare);
    }

    /** The same on a cluster that is prepared like this. */
    public ContractProfile prepared(Consumer<SroSandbox> by) {
        return new ContractProfile(name, specialResource, nodes, openShift, by);
    }
}
