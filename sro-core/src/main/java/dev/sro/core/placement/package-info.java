/**
 * Slices that a pod gets before it runs, where a scheduler's counting cannot say which. In: what nodes have, claims as the API server has them, pods.
 * Out: which nodes have room, which place a pod gets, reservations until its claim is written. No client and no clock.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.placement;

import org.jspecify.annotations.NullMarked;
