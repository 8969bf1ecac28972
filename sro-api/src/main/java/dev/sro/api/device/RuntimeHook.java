package dev.sro.api.device;

import dev.sro.api.NodeFacts;
import dev.sro.api.NotActedOnYet;
import dev.sro.api.RecipeContext;

/** Optional for a plugin: says what the container runtime of a node has to know. */
@NotActedOnYet(until = "put a RuntimeClass, and a DaemonSet that writes the files, into a state")
public interface RuntimeHook {

    /** The configuration of the node's container runtime. */
    RuntimeConfiguration runtime(NodeFacts node, RecipeContext context);
}
