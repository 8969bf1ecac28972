package dev.sro.api;

import java.util.Map;

/**
 * Optional for a plugin: labels that its operands need on nodes, for example to choose a workload profile. SRO writes
 * them by server-side apply and removes them when they are no longer asked for. A label that somebody else has set to
 * another value wins, and is reported for that node.
 */
public interface NodeClassifier {

    /** Labels that this node shall carry, under the vendor's own prefix. */
    Map<String, String> nodeLabels(NodeFacts node, RecipeContext context);
}
