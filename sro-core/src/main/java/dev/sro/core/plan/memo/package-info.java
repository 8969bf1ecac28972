/**
 * Comparisons that were made already. In: a desired and a live object, or the nodes of a pool. Out: where they differ, which nodes changed. It changes the
 * cost of a plan, never its result.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.memo;

import org.jspecify.annotations.NullMarked;
