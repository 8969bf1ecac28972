/**
 * Slot packing: which slice of which device a claim gets. In go devices, requests and claims; out come placements, refusals with their
 * proof, and plans. A library in its own right that knows nothing of Kubernetes.
 */
@NullMarked
package dev.sro.core.slicing;

import org.jspecify.annotations.NullMarked;
