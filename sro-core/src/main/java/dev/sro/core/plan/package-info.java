/**
 * The state machine. In: desired objects, observed objects, facts and the time. Out: a plan: writes in order,
 * outcome per state, pool and node, the status, and when to look again. Pure: no clock, no I/O, no memory.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan;

import org.jspecify.annotations.NullMarked;
