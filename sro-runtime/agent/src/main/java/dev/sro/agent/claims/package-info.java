/**
 * What the API server has of claims, by the JDK's own HTTP client.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.claims;

import org.jspecify.annotations.NullMarked;
