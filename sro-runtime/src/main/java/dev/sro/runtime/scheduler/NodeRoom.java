package dev.sro.runtime.scheduler;

import dev.sro.core.slicing.mig.MigResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is left of each node's CPU, memory and other resources, as the scheduler counts it: allocatable less what the pods on it request. Slices are not
 * counted: those of nodes are known exactly elsewhere. For one look; not thread-safe.
 */
public final class NodeRoom {
    private static final String PODS = "pods";

    private final Map<String, Map<String, BigDecimal>> left = new HashMap<>();

    /** What these nodes have left beside these pods. */
    public NodeRoom(Collection<Node> nodes, Collection<Pod> pods) {
        for (Node node : nodes) {
            Map<String, BigDecimal> free = new HashMap<>();
            if (node.getStatus() != null && node.getStatus().getAllocatable() != null) {
                node.getStatus()
                        .getAllocatable()
                        .forEach((name, amount) -> free.put(name, amount.getNumericalAmount()));
            }
            left.put(node.getMetadata().getName(), free);
        }
        for (Pod pod : pods) {
            String node = pod.getSpec().getNodeName();
            String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
            if (node != null && left.containsKey(node) && !"Succeeded".equals(phase) && !"Failed".equals(phase)) {
                take(node, pod);
            }
        }
    }

    /** Why a pod has no room on a node; empty if it has. */
    public Optional<String> against(Pod pod, String node) {
        Map<String, BigDecimal> free = left.getOrDefault(node, Map.of());
        return requests(pod).entrySet().stream()
                .filter(entry -> entry.getValue().signum() > 0
                        && entry.getValue().compareTo(free.getOrDefault(entry.getKey(), BigDecimal.ZERO)) > 0)
                .map(entry -> "not enough " + entry.getKey())
                .findFirst();
    }

    /** Counts a pod as one of the node. */
    public void take(String node, Pod pod) {
        Map<String, BigDecimal> free = left.get(node);
        if (free != null) {
            requests(pod).forEach((name, amount) -> free.merge(name, amount.negate(), BigDecimal::add));
        }
    }

    /** Takes back that a pod was counted as one of the node. */
    public void giveBack(String node, Pod pod) {
        Map<String, BigDecimal> free = left.get(node);
        if (free != null) {
            requests(pod).forEach((name, amount) -> free.merge(name, amount, BigDecimal::add));
        }
    }

    /** What a node has left, by resource; empty for one that is not known. */
    public Map<String, BigDecimal> left(String node) {
        return new TreeMap<>(left.getOrDefault(node, Map.of()));
    }

    private static Map<String, BigDecimal> requests(Pod pod) {
        Map<String, BigDecimal> running = new TreeMap<>();
        Map<String, BigDecimal> most = new TreeMap<>();
        for (Container container : pod.getSpec().getInitContainers()) {
            Map<String, BigDecimal> own = requests(container);
            if ("Always".equals(container.getRestartPolicy())) {
                own.forEach((name, amount) -> running.merge(name, amount, BigDecimal::add));
            } else {
                own.forEach((name, amount) ->
                        most.merge(name, amount.add(running.getOrDefault(name, BigDecimal.ZERO)), BigDecimal::max));
            }
        }
        pod.getSpec()
                .getContainers()
                .forEach(container ->
                        requests(container).forEach((name, amount) -> running.merge(name, amount, BigDecimal::add)));
        running.forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
        nullToEmpty(pod.getSpec().getOverhead())
                .forEach((name, amount) -> most.merge(name, amount.getNumericalAmount(), BigDecimal::add));
        most.keySet().removeIf(name -> MigResources.profile(name).isPresent());
        most.put(PODS, BigDecimal.ONE);
        return most;
    }

    private static Map<String, BigDecimal> requests(Container container) {
        Map<String, BigDecimal> requests = new TreeMap<>();
        if (container.getResources() != null) {
            nullToEmpty(container.getResources().getRequests())
                    .forEach((name, amount) -> requests.put(name, amount.getNumericalAmount()));
        }
        return requests;
    }

    private static Map<String, Quantity> nullToEmpty(@Nullable Map<String, Quantity> map) {
        return map == null ? Map.of() : map;
    }
}
