/**
 * The trip of one reconcile, up to the plan. In: a special resource, its session, the ports. Out: a plan with all that it was made
 * of.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.engine.trip;

import org.jspecify.annotations.NullMarked;
