/**
 * Pods with slices, placed where the scheduler counts slices and cannot tell them apart. In: what the scheduler asks over HTTP, pods that wait, what
 * nodes have. Out: answers, claims, bindings: {@code sro slices scheduler}. What goes where is decided in {@code dev.sro.core.placement}.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.scheduler;

import org.jspecify.annotations.NullMarked;
