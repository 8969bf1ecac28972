/**
 * Pods and claims that ask for slices of devices, as objects of the API tell of them. In: ResourceSlices, claims, classes, pods and nodes. Out: who
 * has what where, what is free, and why a pod waits, in words and as values. No client and no clock.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.claim;

import org.jspecify.annotations.NullMarked;
