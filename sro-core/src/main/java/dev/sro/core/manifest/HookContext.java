package dev.sro.core.manifest;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.RecipeAccount;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where an object stands when hooks see it.
 *
 * @param recipe the special resource and the cluster
 * @param namespace namespace of the operands
 * @param state the state it belongs to
 * @param pool the pool it is rendered for; null in a state of scope CLUSTER
 * @param barriers node labels that the states before this one put on nodes that they are ready on
 * @param tolerations that every pod gets, as trees
 * @param mirrors where images are pulled from instead
 * @param account by whose rights the object is written; empty for SRO's own
 */
record HookContext(
        RecipeContext recipe,
        String namespace,
        State state,
        @Nullable Pool pool,
        List<String> barriers,
        List<Map<String, Object>> tolerations,
        ImageMirrors mirrors,
        Optional<RecipeAccount> account) {

    /** The same for what SRO makes itself. */
    HookContext ofSro() {
        return new HookContext(recipe, namespace, state, pool, barriers, tolerations, mirrors, Optional.empty());
    }

    String name() {
        return recipe.specialResource().getMetadata().getName();
    }
}
