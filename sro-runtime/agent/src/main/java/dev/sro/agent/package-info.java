/**
 * The process: its options, and what it is put together of.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent;

import org.jspecify.annotations.NullMarked;
