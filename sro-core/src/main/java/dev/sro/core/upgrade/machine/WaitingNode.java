package dev.sro.core.upgrade.machine;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.upgrade.machine.DriverPod.State;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import dev.sro.core.upgrade.policy.RolloutPolicy.ManualCordon;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node that waits for its turn. */
record WaitingNode(UpgradeNode node, @Nullable JournalEntry entry, boolean weak, int wave) {

    /** What may have begun first, then wave by wave; what failed before lets others go first. */
    static final Comparator<WaitingNode> ORDER = Comparator.comparing((WaitingNode waiting) -> !waiting.weak)
            .thenComparingInt(WaitingNode::wave)
            .thenComparingInt(WaitingNode::failures)
            .thenComparing(waiting -> waiting.node.name());

    int failures() {
        return entry == null ? 0 : entry.failures();
    }

    /** Whether we once took it on for sure, and it only lost its note. */
    boolean begun() {
        return weak && node.cordonedByUs();
    }

    /** Whether a node is available, so that taking it on takes that away. */
    static boolean available(UpgradeNode node) {
        return node.ready() && !node.cordoned() && !node.cordonedByUs();
    }

    /** As {@link #obstacle(UpgradeNode, RolloutPolicy)}; what we began goes on as long as the node is ready. */
    @Nullable Obstacle obstacle(RolloutPolicy policy) {
        return begun() && node.ready() ? null : obstacle(node, policy);
    }

    /** Why the node cannot be taken on whatever the slots; null if it can. Depends on this node alone. */
    static @Nullable Obstacle obstacle(UpgradeNode node, RolloutPolicy policy) {
        if (!node.ready()) {
            return Obstacle.NODE_NOT_READY;
        }
        if (node.skip()) {
            return Obstacle.SKIPPED;
        }
        if (node.yields() || node.holder().isPresent()) {
            return node.yields() && node.holder().isEmpty() ? Obstacle.ORDERED_BEHIND : Obstacle.NODE_HELD;
        }
        if (node.action().isEmpty() && !node.requested() && node.driver().state() == State.OUTDATED) {
            return Obstacle.ACTION_UNKNOWN;
        }
        if (policy.manualCordon() == ManualCordon.LEAVE && NodeNeeds.cordonedByOthers(node)) {
            return Obstacle.CORDONED_BY_OTHERS;
        }
        return null;
    }

    /** Where its attempt begins. */
    JournalEntry admitted(RolloutPolicy policy, String target, Instant now) {
        boolean cordoned = NodeNeeds.cordonedByOthers(node);
        JournalEntry base = entry == null ? JournalEntry.begin(UpgradePhase.REQUIRED, now, cordoned, target) : entry;
        Optional<UpgradePhase> label = UpgradePhase.parse(node.label()).filter(UpgradePhase::inProgress);
        if (begun() && label.isPresent()) {
            return base.forTarget(target, now).admitted(label.get(), now, cordoned, "");
        }
        UpgradePhase first = policy.externalMaintenance() ? UpgradePhase.MAINTENANCE : UpgradePhase.CORDON;
        if (restartOnly()) {
            first = UpgradePhase.POD_RESTART;
        }
        return base.forTarget(target, now)
                .admitted(first, now, cordoned, replaced(policy) ? node.driver().uid() : "");
    }

    /** Whether the pod gives way to a new one, and its users with it, although its revision alone does not ask for that. */
    private boolean replaced(RolloutPolicy policy) {
        if (node.safeLoadWaiting()) {
            return NodeNeeds.current(node) && node.driver().restarts() > policy.restartThreshold();
        }
        return node.requested() || node.driver().state() == State.CURRENT_NOT_READY;
    }

    private boolean restartOnly() {
        return node.action().equals(Optional.of(UpgradeAction.RESTART_ONLY))
                && NodeNeeds.restartOnly(node)
                && !NodeNeeds.reset(node)
                && !node.requested();
    }
}
