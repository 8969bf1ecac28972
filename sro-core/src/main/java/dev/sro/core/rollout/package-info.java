/**
 * What stands between the machine of {@code upgrade} and a cluster. In: the policy of a special resource, its DaemonSets and their
 * pods, the pods of nodes in transition. Out: the names of labels and annotations, the policy and the facts of the machine, which
 * revision of the driver a pod runs, which pods are in the way. Pure.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.rollout;

import org.jspecify.annotations.NullMarked;
