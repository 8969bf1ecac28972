/**
 * Manifest hooks. In: the templates of a state, a pool and variables. Out: the objects that shall exist,
 * complete with namespace, labels, owner and kernel affinity.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.manifest;

import org.jspecify.annotations.NullMarked;
