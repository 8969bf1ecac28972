package dev.sro.api.driver;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;

/**
 * Optional for a plugin: says what is loaded on the nodes of a pool, and who loads it.
 *
 * @since 0.1.0
 */
public interface LoadPlanner {

    /**
     * The plan of loading.
     *
     * @param context the special resource and the cluster
     * @param pool the pool
     */
    LoadPlan loadPlan(RecipeContext context, Pool pool);
}
