/**
 * Kernel affinity. In: observed nodes. Out: pools of nodes that one driver build serves, sorted, with stable
 * names and the suffix that kernel-affine objects carry.
 */
@NullMarked
package dev.sro.core.pool;

import org.jspecify.annotations.NullMarked;
