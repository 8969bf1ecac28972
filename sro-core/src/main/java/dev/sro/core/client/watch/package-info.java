/**
 * Watches that fabric8 keeps up. In: which objects, and who is told. Out: each change once, and why nothing is seen while nothing is.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.client.watch;

import org.jspecify.annotations.NullMarked;
