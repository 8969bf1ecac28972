/**
 * NVIDIA's GPUs, by the library that their driver brings.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.nvml;

import org.jspecify.annotations.NullMarked;
