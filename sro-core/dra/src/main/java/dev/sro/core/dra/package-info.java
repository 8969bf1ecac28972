/**
 * What a node publishes for Dynamic Resource Allocation, and what is asked for there. In: the GPUs of a node, what is on them, which
 * devices claims hold, what the API server has now. Out: ResourceSlices with every legal placement and exact counters, DeviceClasses,
 * templates of claims, whether it is time to publish, findings about anybody's slices. {@link dev.sro.core.dra.DraPublisher} is the
 * door. All of it is pure: no client, no clock, no file.
 *
 * <p>Knows nothing of the house but {@code dev.sro.core.slicing}, and of Kubernetes the classes of {@code resource.k8s.io/v1} alone.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.dra;

import org.jspecify.annotations.NullMarked;
