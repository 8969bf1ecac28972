/**
 * {@code sro slices allocator}: gives devices to claims in place of the scheduler. In: ResourceSlices, claims and pods of a cluster. Out: allocations
 * of claims, open gates.
 */
@NullMarked
package dev.sro.runtime.allocator;

import org.jspecify.annotations.NullMarked;
