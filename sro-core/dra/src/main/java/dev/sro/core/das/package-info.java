/**
 * The objects of the Dynamic Accelerator Slicer (DAS, {@code inference.redhat.com/v1alpha1}) as values: which slice of which GPU a pod is promised or
 * has, and which GPUs a node has. In: objects of the API. Out: the same, read and written. Whoever places pods writes a claim before the pod is
 * bound; the agent of the node reads it, and says what became of it. Pure: no client, no clock, no file.
 *
 * <p>Knows nothing of the house but {@code dev.sro.core.slicing}, and of Kubernetes the shape of objects alone.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.das;

import org.jspecify.annotations.NullMarked;
