/**
 * Kernel affinity. In: observed nodes. Out: pools of nodes that one driver build serves, sorted, with stable
 * names and the suffix that kernel-affine objects carry.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.pool;

import org.jspecify.annotations.NullMarked;
