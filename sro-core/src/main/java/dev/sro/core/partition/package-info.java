/**
 * Keeps the nodes of a device for those that need it. In: what a special resource and its recipe say of partitioning. Out: taints of
 * nodes, priority classes, tolerations of operands, and what admission gives to pods that ask for the device. Pure: nothing here asks
 * the cluster.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.partition;

import org.jspecify.annotations.NullMarked;
