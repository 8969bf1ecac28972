package dev.sro.core.facts;

import dev.sro.api.NodeFacts;
import java.util.Map;
import java.util.Set;

/**
 * A node as the engine sees it. Immutable; equal unless something that SRO reads changed.
 *
 * @param facts what plugins see
 * @param uid of the Node object: writes carry it, so that none brings a deleted node back
 * @param appliedLabels label keys that server-side apply holds on this node, by SRO's field managers
 * @param coOwnedLabels those of them that somebody else holds as well: their values cannot be changed without force
 * @param holds annotations, cordon and conditions
 */
public record ObservedNode(
        NodeFacts facts,
        String uid,
        Map<String, Set<String>> appliedLabels,
        Set<String> coOwnedLabels,
        NodeHolds holds) {

    /** Copies the collections. */
    public ObservedNode {
        appliedLabels = Map.copyOf(appliedLabels);
        coOwnedLabels = Set.copyOf(coOwnedLabels);
    }

    /** A node that no upgrade is about. */
    public ObservedNode(
            NodeFacts facts, String uid, Map<String, Set<String>> appliedLabels, Set<String> coOwnedLabels) {
        this(facts, uid, appliedLabels, coOwnedLabels, NodeHolds.NONE);
    }

    /** A node whose labels nobody holds together with SRO. */
    public ObservedNode(NodeFacts facts, String uid, Map<String, Set<String>> appliedLabels) {
        this(facts, uid, appliedLabels, Set.of());
    }

    /** Whether this manager holds anything on the node. */
    public boolean isHeldBy(String manager) {
        return appliedLabels.containsKey(manager)
                || holds.applied().containsKey(manager)
                || holds.cordoning().contains(manager)
                || holds.verdicts().containsKey(manager);
    }

    /** The same node with other facts. */
    public ObservedNode with(NodeFacts other) {
        return new ObservedNode(other, uid, appliedLabels, coOwnedLabels, holds);
    }

    /** Name of the node. */
    public String name() {
        return facts.name();
    }
}
