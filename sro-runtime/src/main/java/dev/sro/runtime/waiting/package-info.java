/**
 * Why pods wait, told where people look first. In: pods that a scheduler has no place for, claims, slices, nodes and classes of a cluster. Out:
 * the words and trees of {@code sro slices explain}; {@code sro slices explainer} writes them as events of pods and claims, with a certificate on the
 * claim.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.waiting;

import org.jspecify.annotations.NullMarked;
