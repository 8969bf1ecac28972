package dev.sro.core.recipe;

import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Code;
import dev.sro.core.model.Operands;
import dev.sro.core.recipe.source.SourceAnswer;
import dev.sro.core.recipe.source.StateFileSet;
import dev.sro.core.recipe.source.StateFiles;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;

/** Makes recipes of numbered manifests. Thread-safe. */
public final class StateFileRecipes {

    /** No such recipes at all. */
    public static final StateFileRecipes NONE = new StateFileRecipes(StateFiles.NONE, resource -> Map.of());

    private final StateFiles files;
    private final Function<SpecialResource, Map<String, Object>> trees;

    /**
     * @param files where they come from
     * @param trees the special resource as maps, lists and scalars
     */
    public StateFileRecipes(StateFiles files, Function<SpecialResource, Map<String, Object>> trees) {
        this.files = files;
        this.trees = trees;
    }

    SourceAnswer<StateFileSet> find(RecipeContext context) {
        return files.find(context);
    }

    /**
     * The recipe.
     *
     * @param plugins that there are, for the message when there is no recipe
     */
    RecipeResolver.Resolution resolve(RecipeContext context, Collection<String> plugins) {
        return find(context)
                .map(
                        found -> resolve(context, found),
                        pending -> RecipeResolver.Resolution.waiting(pending + " is being looked for"),
                        failed -> RecipeResolver.Resolution.problem(problem(failed, plugins)));
    }

    private static Problem problem(Problem problem, Collection<String> plugins) {
        boolean named = !Code.NO_RECIPE.is(problem) || plugins.isEmpty();
        return named
                ? problem
                : new Problem(
                        problem.code(),
                        problem.message() + "; there are the plugins " + plugins,
                        problem.owner(),
                        problem.retryable());
    }

    private RecipeResolver.Resolution resolve(RecipeContext context, StateFileSet found) {
        try {
            return RecipeResolver.Resolution.of(new StateFileRecipe(
                    found,
                    context,
                    trees.apply(context.specialResource()),
                    Operands.namespace(context.specialResource())));
        } catch (RecipeFailure e) {
            return RecipeResolver.Resolution.problem(e.problem());
        }
    }
}
