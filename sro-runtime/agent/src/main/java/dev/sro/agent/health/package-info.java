/**
 * Which GPUs are ill, by what their driver reports, until they are well again.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.health;

import org.jspecify.annotations.NullMarked;
