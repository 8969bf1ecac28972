/**
 * The one way between typed objects of fabric8's client and trees. In: objects of the client. Out: trees, and back.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.codec;

import org.jspecify.annotations.NullMarked;
