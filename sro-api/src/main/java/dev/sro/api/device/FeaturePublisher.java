package dev.sro.api.device;

import dev.sro.api.NodeFacts;
import dev.sro.api.NotActedOnYet;
import dev.sro.api.RecipeContext;

/**
 * Optional for a plugin: publishes extended resources and features of nodes. Labels go through
 * {@link dev.sro.api.NodeClassifier}.
 */
@NotActedOnYet(until = "put a NodeFeatureRule with extendedResources into a state of scope CLUSTER")
public interface FeaturePublisher {

    /** What the node can do. */
    NodeFeatures features(NodeFacts node, RecipeContext context);
}
