package dev.sro.api.driver;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import java.util.Optional;

/**
 * Optional for a plugin: says how the driver container of a pool is built and signed.
 *
 * @since 0.1.0
 */
public interface BuildPlanner {

    /**
     * The build of the image; empty when it cannot be built.
     *
     * @param context the special resource and the cluster
     * @param pool the pool
     * @param image the candidate of kind BUILD that is missing in the registry
     */
    Optional<BuildPlan> buildPlan(RecipeContext context, Pool pool, ImageCandidate image);

    /**
     * The signing of its files; empty for nothing.
     *
     * @param context the special resource and the cluster
     * @param pool the pool
     * @param image the image, built or found
     */
    default Optional<SignPlan> signPlan(RecipeContext context, Pool pool, ImageCandidate image) {
        return Optional.empty();
    }
}
