package dev.sro.api;

import java.util.Optional;

/**
 * Optional for a plugin: says whether two special resources, of this plugin or one of another kind of the same vendor, may
 * serve one node. Without it they may not when they have the same plugin: the older one has the node.
 */
@NotActedOnYet(until = "keep the node selectors of the special resources apart")
public interface ConflictRule {

    /**
     * The verdict for one node.
     *
     * @param mine the special resource of this plugin
     * @param other another special resource that selects the node, of any plugin
     * @param node the node
     * @return the problem that keeps {@code mine} off the node, or empty when both may serve it
     */
    Optional<Problem> conflict(RecipeContext mine, RecipeContext other, NodeFacts node);
}
