package dev.sro.api;

import java.util.List;

/**
 * Optional for a plugin: says what is wrong with a special resource before anything is made of it.
 *
 * @since 0.1.0
 */
public interface ConfigValidator {

    /**
     * @param context the special resource and the cluster
     * @return all problems found, empty when there is none; with one or more, nothing of the recipe is applied and
     *     what exists is left alone
     */
    List<Problem> validate(RecipeContext context);
}
