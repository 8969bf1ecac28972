package dev.sro.api;

import java.util.Map;

/**
 * Optional for a plugin: nodes with equal kernel, operating system and architecture that still need different objects
 * (a firmware level, a board) are told apart by what this adds to the pool's key.
 *
 * @since 0.1.0
 */
public interface PoolKeyProvider {

    /** Additional key of the node's pool; empty for none. Also available to manifests as <code>${key.NAME}</code>. */
    Map<String, String> poolKey(NodeFacts node, RecipeContext context);
}
