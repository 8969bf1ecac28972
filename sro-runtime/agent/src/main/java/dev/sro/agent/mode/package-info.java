/**
 * Which GPUs are cut and which are whole: what the Node asks for, held against what the hardware is, and switched when nobody has anything of it.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.mode;

import org.jspecify.annotations.NullMarked;
