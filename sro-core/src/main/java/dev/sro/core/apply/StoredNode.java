package dev.sro.core.apply;

import dev.sro.core.facts.NodeProjector;
import dev.sro.core.facts.ObservedNode;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Optional;

/**
 * A node as the API server stored it, whoever asks: the answer to a write says the same as an event of a watch. Immutable.
 *
 * @param name of the node
 * @param uid of the Node object
 * @param resourceVersion of the Node object, by which older news of it are told from newer ones
 * @param node the projection, or empty for one whose kernel is not known yet
 */
public record StoredNode(String name, String uid, String resourceVersion, Optional<ObservedNode> node) {

    /** What is kept of a Node object. */
    public static StoredNode of(Node node) {
        return new StoredNode(
                node.getMetadata().getName(),
                String.valueOf(node.getMetadata().getUid()),
                String.valueOf(node.getMetadata().getResourceVersion()),
                NodeProjector.project(node));
    }
}
