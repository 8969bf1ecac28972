package dev.sro.api;

import dev.sro.api.resource.SpecialResource;

/**
 * What a plugin may look at when it is asked for its states.
 *
 * @param specialResource what the user wrote; to be treated as immutable
 * @param cluster what the cluster is and serves
 */
public record RecipeContext(SpecialResource specialResource, ClusterFacts cluster) {}
