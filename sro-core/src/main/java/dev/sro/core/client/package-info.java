/**
 * The ports on fabric8's client: informers as reader, server-side apply as writer.
 */
@NullMarked
package dev.sro.core.client;

import org.jspecify.annotations.NullMarked;
