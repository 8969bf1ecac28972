package dev.sro.core.pool;

import dev.sro.api.NodeFacts;
import dev.sro.core.model.MetadataKeys;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which nodes a special resource is for. Stateless. */
public final class ServedNodes {

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

    private ServedNodes() {}

    /** Whether the node carries all these labels with these values, or has them as features. */
    public static boolean matches(NodeFacts node, Map<String, String> selector) {
        for (Map.Entry<String, String> wanted : selector.entrySet()) {
            String actual = node.labels().get(wanted.getKey());
            // A label that is there counts; Node Feature Discovery may know of more than it has written.
            if (!wanted.getValue().equals(actual == null ? feature(node, wanted.getKey()) : actual)) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable String feature(NodeFacts node, String key) {
        return key.equals(MetadataKeys.KERNEL_LABEL) ? null : node.features().get(key);
    }

    /** Whether the node has a taint that keeps operands off it. Cordoning and node conditions do not. */
    public static boolean keepsPodsOff(NodeFacts node) {
        return keepsPodsOff(node, List.of());
    }

    /** Whether the node has a taint that keeps pods with these tolerations, as they are in a pod's spec, off it. */
    public static boolean keepsPodsOff(NodeFacts node, List<Map<String, Object>> tolerations) {
        for (String text : node.taints()) {
            Taint taint = Taint.of(text);
            boolean tolerated = taint.effect.equals("PreferNoSchedule")
                    || DAEMONSET_TOLERATES.contains(taint.key)
                    || tolerations.stream().anyMatch(taint::isToleratedBy);
            if (!tolerated) {
                return true;
            }
        }
        return false;
    }

    /** A taint, taken apart. */
    private record Taint(String key, String value, String effect) {

        /** From {@code key=value:Effect} or {@code key:Effect}. */
        static Taint of(String text) {
            int colon = text.lastIndexOf(':');
            String name = colon < 0 ? text : text.substring(0, colon);
            int equals = name.indexOf('=');
            return new Taint(
                    equals < 0 ? name : name.substring(0, equals),
                    equals < 0 ? "" : name.substring(equals + 1),
                    colon < 0 ? "" : text.substring(colon + 1));
        }

        /** By the rules of Kubernetes: what a toleration leaves out fits everything, but for its value. */
        boolean isToleratedBy(Map<String, Object> toleration) {
            String wantedEffect = text(toleration, "effect");
            String wantedKey = text(toleration, "key");
            boolean exists = text(toleration, "operator").equals("Exists");
            return (wantedEffect.isEmpty() || wantedEffect.equals(effect))
                    && (wantedKey.isEmpty() ? exists : wantedKey.equals(key))
                    && (exists || text(toleration, "value").equals(value));
        }

        private static String text(Map<String, Object> map, String key) {
            Object found = map.get(key);
            return found == null ? "" : String.valueOf(found);
        }
    }
}
