package dev.sro.api.device;

import dev.sro.api.NodeFacts;
import dev.sro.api.RecipeContext;

/**
 * Optional for a plugin: says what the container runtime of a node has to know. SRO puts the files onto the node once its driver is
 * loaded, and takes them away again; see docs/reference/oci-decorator.md.
 *
 * @since 0.1.0
 */
public interface RuntimeHook {

    /**
     * The configuration of the node's container runtime; an empty one for none. Called again when the facts change. Nodes for which
     * it is equal share the objects that are made of it, so say nothing in it that each node has of its own.
     *
     * @param node that is served
     * @param context the special resource and the cluster
     */
    RuntimeConfiguration runtime(NodeFacts node, RecipeContext context);
}
