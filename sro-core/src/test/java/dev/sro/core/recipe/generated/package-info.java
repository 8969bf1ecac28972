/**
 * Recipes of the first generation put together at random. In: a seed. Out: the files that somebody would have written, and, by rules
 * that are written down here once more without the code that is tried, what has to become of them.
 */
@NullMarked
package dev.sro.core.recipe.generated;

import org.jspecify.annotations.NullMarked;
