/**
 * The ports on fabric8's client: informers as reader, server-side apply as writer.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client;

import org.jspecify.annotations.NullMarked;
