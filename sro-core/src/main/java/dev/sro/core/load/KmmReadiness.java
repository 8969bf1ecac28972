package dev.sro.core.load;

import dev.sro.api.NodeFacts;
import dev.sro.api.Outcome;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.time.Instant;
import java.util.Map;

/**
 * How far a {@code Module} of Kernel Module Management is on a node: by the label that KMM puts on nodes where it has loaded the
 * module in this boot. The counters of its status say why one has to wait. Stateless.
 */
public final class KmmReadiness {

    private static final String LABEL_PREFIX = "kmm.node.kubernetes.io/";

    private KmmReadiness() {}

    /** Whether it is a Module of KMM. */
    public static boolean isModule(KubeObject object) {
        return object.ref().kind().equals("Module") && object.ref().apiVersion().startsWith("kmm.sigs.x-k8s.io/");
    }

    /** The label that KMM puts on nodes. */
    public static String label(KubeObject module) {
        return LABEL_PREFIX + module.ref().namespace() + "." + module.ref().name() + ".ready";
    }

    /** The outcome on one node. */
    public static Outcome judge(KubeObject module, NodeFacts node, Instant now) {
        if (node.labels().containsKey(label(module))) {
            return node.ready()
                    ? Outcome.ready()
                    : Outcome.waiting("NodeNotReady", now, "node " + node.name() + " is not Ready");
        }
        Map<String, Object> loader = module.map("status", "moduleLoader");
        long selected = ValueTrees.number(loader, "nodesMatchingSelectorNumber", 0);
        long desired = ValueTrees.number(loader, "desiredNumber", 0);
        long available = ValueTrees.number(loader, "availableNumber", 0);
        return Outcome.waiting(
                "KmmModuleNotReady",
                now,
                module.ref() + " waits for KMM on node " + node.name() + ": it selects " + selected
                        + " nodes, has an image for " + desired + " and has loaded on " + available);
    }
}
