package dev.sro.api;

import java.util.Optional;

/**
 * Optional for a plugin: says whether its special resource may serve a node beside another one. Without it two special resources
 * with the same plugin may not: the older one has the node ({@code NodeTaken}).
 *
 * <p>Asked when both would serve a node: the older of the two serves it already, or its plugin finds the device there. Whichever of
 * the two plugins has the rule is asked, both if both have one. The younger special resource leaves the node alone as long as a
 * problem is answered, and reports it for that node; its other nodes are served. Equal input gives equal output; a node is asked
 * about again when its facts or the other special resource changed.
 *
 * @since 0.1.0
 */
public interface ConflictRule {

    /**
     * The verdict for one node.
     *
     * @param mine the special resource of this plugin
     * @param other another special resource for the node, of any plugin; that of a chart is never asked about
     * @param node the node
     * @return the problem that keeps the younger of the two off the node, or empty when both may serve it
     */
    Optional<Problem> conflict(RecipeContext mine, RecipeContext other, NodeFacts node);
}
