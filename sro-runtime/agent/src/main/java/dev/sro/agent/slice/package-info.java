/**
 * Which claim holds which slice: made, kept, released, and put right after whatever happened to process, machine or driver.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.slice;

import org.jspecify.annotations.NullMarked;
