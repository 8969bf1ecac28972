/**
 * What the agent counts and measures, as Prometheus reads it. By hand, as a library for it would take more memory than all else that is
 * there for it.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.metrics;

import org.jspecify.annotations.NullMarked;
