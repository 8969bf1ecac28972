/**
 * {@code sro lint}. In: what special resources come to, as {@code dev.sro.runtime.plan} previews it. Out: what in the recipe will
 * not work, why, and what to do.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.lint;

import org.jspecify.annotations.NullMarked;
