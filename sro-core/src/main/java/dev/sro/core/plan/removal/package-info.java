/**
 * What nobody wants any more. In: objects that exist, claims by which their devices are used. Out: deletions in the reverse order of the recipe.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.removal;

import org.jspecify.annotations.NullMarked;
