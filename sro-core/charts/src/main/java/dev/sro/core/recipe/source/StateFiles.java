package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.core.model.Code;

/**
 * Port: where numbered manifests with Go templates are, the recipes of the first generations of the Special Resource Operator: a
 * ConfigMap or a directory. Answers from memory and never waits for the cluster. Implementations are thread-safe.
 */
public interface StateFiles {

    /** For embedders that run plugins or charts only. */
    StateFiles NONE = context -> SourceAnswer.failed(Problem.user(
            Code.NO_RECIPE.text(),
            "spec: a recipe is needed: set spec.plugin.name to a plugin"
                    + " (recipes in ConfigMaps and directories are switched off here)"));

    /** The files of this special resource. */
    SourceAnswer<StateFileSet> find(RecipeContext context);
}
