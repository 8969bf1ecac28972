/**
 * The state machine of node-by-node driver upgrades. In: the policy of one special resource, facts of its nodes, its journal and the time. Out: what
 * happens next on which node, the new journal, counts, what is stuck and since when, and when to look again. Pure: no clock, no I/O,
 * no memory, no Kubernetes client. All types are immutable.
 *
 * <p>Where a rollout stands is written in three places that one write changes together (the node's label, a note in an annotation of
 * the node, the cordon), and in the journal of the special resource. Any of them may be edited or lost; see
 * docs/decisions/upgrade-machine.md for which of them is believed.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.upgrade.machine;

import org.jspecify.annotations.NullMarked;
