/**
 * Devices that are not there: any models and counts from one YAML file, with the latencies and failures that it says.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.emulated;

import org.jspecify.annotations.NullMarked;
