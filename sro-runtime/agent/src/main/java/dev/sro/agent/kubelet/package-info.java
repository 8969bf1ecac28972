/**
 * What kubelet says to a driver for Dynamic Resource Allocation and hears from it, over Unix sockets: registration, prepare, unprepare.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.kubelet;

import org.jspecify.annotations.NullMarked;
