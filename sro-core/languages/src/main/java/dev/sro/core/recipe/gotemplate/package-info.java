/**
 * Go's {@code text/template} for data as JSON has it. In: the text of a template, and for executing it maps, lists,
 * strings, numbers, booleans and null, with the functions that the caller has beyond those of Go. Out: the text that
 * it gives; or, without executing it, what it reads and calls, and the text with some of its calls replaced.
 *
 * <p>{@link dev.sro.core.recipe.gotemplate.GoTemplate} is where to begin, {@link
 * dev.sro.core.recipe.gotemplate.TemplateRenderer} executes. All that is wrong in a template is a {@link
 * dev.sro.core.recipe.gotemplate.TemplateException} with its position. Templates come from strangers: no text and no
 * data leads to a stack overflow, or to more memory or work than {@link dev.sro.core.recipe.gotemplate.RenderLimits}
 * allows.
 */
@NullMarked
package dev.sro.core.recipe.gotemplate;

import org.jspecify.annotations.NullMarked;
