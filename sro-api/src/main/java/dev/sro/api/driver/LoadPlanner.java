package dev.sro.api.driver;

import dev.sro.api.NotActedOnYet;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;

/** Optional for a plugin: says what is loaded on the nodes of a pool, and who loads it. */
@NotActedOnYet(until = "load the modules in a container of one of the states")
public interface LoadPlanner {

    /**
     * What is loaded.
     *
     * @param context the special resource and the cluster
     * @param pool the pool
     */
    LoadPlan loadPlan(RecipeContext context, Pool pool);
}
