/**
 * Devices that SRO itself gives to claims, instead of the scheduler. In: ResourceSlices whose devices bear the allocator's taint, claims and classes
 * as the API server has them, nodes on which a pod may be. Out: which devices of which node each claim of a pod, or of a gang of pods, gets; the
 * allocation as it is written. No client and no clock.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.allocation;

import org.jspecify.annotations.NullMarked;
