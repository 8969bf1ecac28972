/**
 * Go's {@code text/template}. In: the text of a template. Out: what it reads and calls, and the text with some of its
 * calls replaced. {@link dev.sro.core.recipe.gotemplate.GoTemplate} is where to begin. All that is wrong in a
 * template is a {@link dev.sro.core.recipe.gotemplate.TemplateException} with its position.
 */
@NullMarked
package dev.sro.core.recipe.gotemplate;

import org.jspecify.annotations.NullMarked;
