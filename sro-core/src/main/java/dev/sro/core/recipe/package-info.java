/**
 * Where manifests come from. In: a special resource and the plugins. Out: the states of its recipe, or the
 * problem why there are none. Every call into a plugin goes through here, under a deadline.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.recipe;

import org.jspecify.annotations.NullMarked;
