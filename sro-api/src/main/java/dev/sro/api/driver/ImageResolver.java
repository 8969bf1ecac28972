package dev.sro.api.driver;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;

/**
 * Optional for a plugin: says which images may serve a pool.
 *
 * @since 0.1.0
 */
public interface ImageResolver {

    /**
     * The candidates for a pool.
     *
     * @param context the special resource and the cluster
     * @param pool the pool
     */
    ImageCandidates images(RecipeContext context, Pool pool);
}
