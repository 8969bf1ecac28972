/**
 * Drives the trip. In: a special resource's name and the ports (reader, writer, clock, events, metrics). Out:
 * one reconcile, or a loop of them with one worker per special resource.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.engine;

import org.jspecify.annotations.NullMarked;
