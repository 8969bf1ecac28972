/**
 * What the engine asks of whoever embeds it. In: questions. Out: the caches, logs, images, timers; events and measures are told.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.engine.port;

import org.jspecify.annotations.NullMarked;
