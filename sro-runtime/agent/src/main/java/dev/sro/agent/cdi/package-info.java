/**
 * How containers get a claim's slices: one specification of the Container Device Interface per claim.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.cdi;

import org.jspecify.annotations.NullMarked;
