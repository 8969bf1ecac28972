/**
 * What is in a node, as a driver shows it: GPUs named by PCI address, their profiles, GPU and compute instances; and the port by which they are made and destroyed.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.device;

import org.jspecify.annotations.NullMarked;
