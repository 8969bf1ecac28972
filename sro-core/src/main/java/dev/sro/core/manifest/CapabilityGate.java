package dev.sro.core.manifest;

import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.Map;

/** The node selector of DaemonSets whose state waits for capabilities of others. Stateless. */
final class CapabilityGate {

    private static final String OPEN = "Ready";

    private CapabilityGate() {}

    static void apply(Map<String, Object> tree, HookContext context) {
        if (context.state().afterCapabilities().isEmpty() || !"DaemonSet".equals(tree.get("kind"))) {
            return;
        }
        String gate = MetadataKeys.gateLabel(context.name(), context.state().number());
        Workloads.nodeSelector(tree)
                .ifPresent(path -> ValueTrees.ensureMap(tree, path).put(gate, OPEN));
    }
}
