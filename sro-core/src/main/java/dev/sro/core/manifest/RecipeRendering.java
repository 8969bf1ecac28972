package dev.sro.core.manifest;

import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.core.driver.Drivers;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.recipe.PluginHooks;
import dev.sro.core.recipe.Recipe;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What all states of a recipe are rendered with. Lives for one rendering.
 *
 * @param codec turns typed objects into trees
 * @param recipe the states and the plugin's hooks and variables
 * @param namespace of the operands
 * @param resource the special resource as a tree
 * @param pools sorted
 * @param drivers of these pools
 * @param tolerations of all pods, as trees
 * @param mirrors from where images are pulled instead
 * @param shared hooks of plugins for all recipes
 * @param budget of objects
 * @param account by whose rights what the recipe has is written; empty for SRO's own
 */
record RecipeRendering(
        Codec codec,
        Recipe recipe,
        String namespace,
        Map<String, Object> resource,
        List<Pool> pools,
        Drivers drivers,
        List<Map<String, Object>> tolerations,
        ImageMirrors mirrors,
        PluginHooks shared,
        ObjectBudget budget,
        Optional<RecipeAccount> account) {

    HookContext context(State state, List<String> barriers, @Nullable Pool pool) {
        return new HookContext(recipe.context(), namespace, state, pool, barriers, tolerations, mirrors, account);
    }
}
