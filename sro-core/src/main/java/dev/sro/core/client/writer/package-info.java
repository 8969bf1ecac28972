/**
 * Server-side apply. In: the writes of a plan. Out: requests, and refusals as values; events for people.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.writer;

import org.jspecify.annotations.NullMarked;
