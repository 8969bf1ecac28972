/**
 * Stores of what was seen, each of one kind of object. In: events of watches and answers to writes, of which the newer counts. Out:
 * what is known now, and what changed by it.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.cache;

import org.jspecify.annotations.NullMarked;
