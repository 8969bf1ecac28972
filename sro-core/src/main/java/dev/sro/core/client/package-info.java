/**
 * The operator on fabric8's client. In: a client and settings. Out: the engine with its ports on informers and server-side apply, put
 * together from the rooms below and started.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client;

import org.jspecify.annotations.NullMarked;
