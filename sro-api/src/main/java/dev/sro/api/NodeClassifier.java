package dev.sro.api;

import java.util.Map;

/**
 * Optional for a plugin: labels that its operands need on nodes, for example to choose a workload profile. SRO writes
 * them by server-side apply and removes them when they are no longer asked for. A label that somebody else has set to
 * another value wins, and is reported for that node.
 *
 * @since 0.1.0
 */
public interface NodeClassifier {

    /** Labels that this node shall carry, under the vendor's own prefix. */
    Map<String, String> nodeLabels(NodeFacts node, RecipeContext context);

    /**
     * Labels that stay on a node which SRO has labelled for the special resource and on which the {@link DeviceMatcher} does not find
     * the device any more, for example to say that it is gone; all others are removed. Asked as long as SRO holds any label there.
     */
    default Map<String, String> labelsWithoutDevice(NodeFacts node, RecipeContext context) {
        return Map.of();
    }
}
