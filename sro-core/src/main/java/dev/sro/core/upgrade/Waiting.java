package dev.sro.core.upgrade;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.upgrade.DriverPod.State;
import dev.sro.core.upgrade.RolloutPolicy.ManualCordon;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node that waits for its turn. */
record Waiting(UpgradeNode node, @Nullable JournalEntry entry, boolean weak, int wave) {

    /** What may have begun first, then wave by wave; what failed before lets others go first. */
    static final Comparator<Waiting> ORDER = Comparator.comparing((Waiting waiting) -> !waiting.weak)
            .thenComparingInt(Waiting::wave)
            .thenComparingInt(Waiting::failures)
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
    @Nullable String obstacle(RolloutPolicy policy) {
        return begun() && node.ready() ? null : obstacle(node, policy);
    }

    /** Why the node cannot be taken on whatever the slots; null if it can. Depends on this node alone. */
    static @Nullable String obstacle(UpgradeNode node, RolloutPolicy policy) {
        if (!node.ready()) {
            return "NodeNotReady";
        }
        if (node.skip()) {
            return "Skipped";
        }
        if (node.yields() || node.holder().isPresent()) {
            return node.yields() && node.holder().isEmpty() ? "OrderedBehind" : "NodeHeld";
        }
        if (node.action().isEmpty() && !node.requested() && node.driver().state() == State.OUTDATED) {
            return "UpgradeActionUnknown";
        }
        if (policy.manualCordon() == ManualCordon.LEAVE && Needs.cordonedByOthers(node)) {
            return "CordonedByOthers";
        }
        return null;
    }

    /** What an obstacle is, for people. */
    static StepBlock block(UpgradeNode node, String code, Instant since) {
        String message = switch (code) {
            case "NodeNotReady" -> "the node is not Ready";
            case "Skipped" -> "the node's label says that it is skipped";
            case "OrderedBehind" -> "another special resource upgrades its driver on this node first";
            case "NodeHeld" -> "special resource " + node.holder().orElse("") + " is working on this node";
            case "CordonedByOthers" -> "somebody made the node unschedulable, and such nodes are left alone";
            default -> "what the change asks of the node is not known: " + node.actionProblem();
        };
        return new StepBlock(code, message, since, List.of());
    }

    /** Where its attempt begins. */
    JournalEntry admitted(RolloutPolicy policy, String target, Instant now) {
        boolean cordoned = Needs.cordonedByOthers(node);
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
            return Needs.current(node) && node.driver().restarts() > policy.restartThreshold();
        }
        return node.requested() || node.driver().state() == State.CURRENT_NOT_READY;
    }

    private boolean restartOnly() {
        return node.action().equals(Optional.of(UpgradeAction.RESTART_ONLY))
                && Needs.restartOnly(node)
                && !node.requested();
    }
}
