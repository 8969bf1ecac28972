/**
 * The cluster's side of an upgrade. In: the policy, DaemonSets that carry the driver and their pods, the pods of nodes in
 * transition, objects in which something is remembered. Out: which revision of the driver a pod runs and which one is in effect, the
 * journal, which pods are in the way. Pure.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.upgrade.cluster;

import org.jspecify.annotations.NullMarked;
