/**
 * All watches together. In: what special resources need to see. Out: the caches filled, and what cannot be seen.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.informer;

import org.jspecify.annotations.NullMarked;
