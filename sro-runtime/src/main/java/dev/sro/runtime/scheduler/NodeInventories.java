package dev.sro.runtime.scheduler;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * NodeAccelerators by node. While somebody comes from DAS a node has two, DAS's and that of the agent, in different namespaces: the agent's counts, as DAS's
 * is never written again. Thread-safe.
 */
final class NodeInventories {
    /** By which agents mark their own. */
    private static final String MANAGER = "sro-agent";

    private final Map<String, Map<String, GenericKubernetesResource>> byNode = new HashMap<>();

    /**
     * The one that counts of a node.
     *
     * @param object empty if the node has none
     */
    record Counted(String node, Optional<GenericKubernetesResource> object) {}

    synchronized Counted seen(GenericKubernetesResource object) {
        String node = object.getMetadata().getName();
        byNode.computeIfAbsent(node, name -> new TreeMap<>())
                .put(object.getMetadata().getNamespace(), object);
        return counted(node);
    }

    synchronized Counted gone(GenericKubernetesResource object) {
        String node = object.getMetadata().getName();
        byNode.computeIfPresent(node, (name, found) -> {
            found.remove(object.getMetadata().getNamespace());
            return found.isEmpty() ? null : found;
        });
        return counted(node);
    }

    private Counted counted(String node) {
        return new Counted(
                node,
                byNode.getOrDefault(node, Map.of()).values().stream().max(Comparator.comparing(NodeInventories::own)));
    }

    private static boolean own(GenericKubernetesResource object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels != null && MANAGER.equals(labels.get(ClaimWriter.MANAGED_BY));
    }
}
