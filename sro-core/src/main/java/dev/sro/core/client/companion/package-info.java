/**
 * Controllers beside the engine on the same watches: of preflights and of modules. In: objects of these kinds. Out: their status.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.companion;

import org.jspecify.annotations.NullMarked;
