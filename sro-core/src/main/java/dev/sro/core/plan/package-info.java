/**
 * The values of a plan. In: desired objects, observed objects, facts, answers and the time. Out: writes in order, outcome per state, pool
 * and node, when to look again, what the plan wants to know. No clock, no I/O, no memory.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan;

import org.jspecify.annotations.NullMarked;
