/**
 * {@code sro slices allocator}: gives devices to claims in place of the scheduler. In: ResourceSlices, claims and pods of a cluster. Out: allocations
 * of claims, open gates.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.allocator;

import org.jspecify.annotations.NullMarked;
