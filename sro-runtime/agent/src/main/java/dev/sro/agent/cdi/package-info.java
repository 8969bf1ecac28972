/**
 * How containers get a claim's slices: one specification of the Container Device Interface per claim, with device nodes and with what
 * was found of the driver on the node.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.cdi;

import org.jspecify.annotations.NullMarked;
