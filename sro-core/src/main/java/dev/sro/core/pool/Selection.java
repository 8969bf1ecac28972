package dev.sro.core.pool;

import dev.sro.api.NodeFacts;
import java.util.Map;
import java.util.Set;

/** Which nodes a special resource is for. Stateless. */
public final class Selection {

    /**
     * Taints that the DaemonSet controller tolerates on every pod it makes (Kubernetes' documentation of DaemonSet,
     * "Taints and tolerations"), so that they keep no driver off a node.
     */
    private static final Set<String> DAEMONSET_TOLERATES = Set.of(
            "node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable",
            "node.kubernetes.io/disk-pressure",
            "node.kubernetes.io/memory-pressure",
            "node.kubernetes.io/pid-pressure",
            "node.kubernetes.io/unschedulable",
            "node.kubernetes.io/network-unavailable");

    private Selection() {}

    /** Whether the node carries all these labels with these values. */
    public static boolean matches(NodeFacts node, Map<String, String> selector) {
        for (Map.Entry<String, String> wanted : selector.entrySet()) {
            if (!wanted.getValue().equals(node.labels().get(wanted.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the node has a taint that keeps operands off it. Cordoning and node conditions do not. */
    public static boolean keepsPodsOff(NodeFacts node) {
        for (String taint : node.taints()) {
            if (taint.endsWith(":PreferNoSchedule")) {
                continue;
            }
            int end = taint.indexOf('=');
            String key = taint.substring(0, end < 0 ? taint.lastIndexOf(':') : end);
            if (!DAEMONSET_TOLERATES.contains(key)) {
                return true;
            }
        }
        return false;
    }
}
