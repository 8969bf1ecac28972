/**
 * The Node of this agent: what operator and people want of it, and what the agent says there.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.node;

import org.jspecify.annotations.NullMarked;
