/**
 * Readiness and validation. In: observed objects and pods. Out: an outcome per object and per node. Pure.
 */
@NullMarked
package dev.sro.core.probe;

import org.jspecify.annotations.NullMarked;
