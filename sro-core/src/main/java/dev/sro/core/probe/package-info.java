/**
 * Readiness and validation. In: observed objects and pods. Out: an outcome per object and per node. Pure.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.probe;

import org.jspecify.annotations.NullMarked;
