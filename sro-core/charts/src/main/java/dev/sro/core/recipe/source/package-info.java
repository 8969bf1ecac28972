/**
 * Brings charts: in goes the reference that a special resource has, out comes the chart, fetched in the background, kept by its
 * content, and looked for anew now and then.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.recipe.source;

import org.jspecify.annotations.NullMarked;
