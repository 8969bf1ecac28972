/**
 * What this node offers, as ResourceSlices on the API server: read from hardware, checkpoint and claims, decided by {@code core.dra}.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.publish;

import org.jspecify.annotations.NullMarked;
