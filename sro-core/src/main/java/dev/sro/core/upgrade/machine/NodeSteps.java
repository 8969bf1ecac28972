package dev.sro.core.upgrade.machine;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes steps of where a node shall be. */
final class NodeSteps {

    private NodeSteps() {}

    /**
     * The step to an entry; without one, to done.
     *
     * @param order devices that are to be reset now; empty for none
     * @param actions that are left out if the node has to be written first
     */
    static NodeStep decide(
            UpgradeNode node,
            @Nullable JournalEntry entry,
            String order,
            List<NodeAction> actions,
            @Nullable StepBlock block,
            @Nullable Instant wakeUp,
            boolean answers) {
        UpgradePhase phase = entry == null ? UpgradePhase.DONE : entry.phase();
        return decide(node, phase, entry, cordon(node, phase), order, actions, block, wakeUp, answers);
    }

    /** The step of a node that is in no transition to a phase, without a note. */
    static NodeStep settled(UpgradeNode node, UpgradePhase phase, @Nullable StepBlock block) {
        return decide(node, phase, null, false, "", List.of(), block, null, false);
    }

    static NodeStep decide(
            UpgradeNode node,
            UpgradePhase phase,
            @Nullable JournalEntry entry,
            boolean cordon,
            String order,
            List<NodeAction> actions,
            @Nullable StepBlock block,
            @Nullable Instant wakeUp,
            boolean answers) {
        String note = entry == null ? "" : entry.text();
        boolean write = answers
                || cordon != node.cordonedByUs()
                || !phase.label().equals(node.label())
                || !note.equals(node.note())
                || !order.equals(node.reset().ordered());
        return new NodeStep(
                node.name(),
                phase,
                cordon,
                note,
                order,
                write,
                answers,
                write ? List.of() : actions,
                Optional.ofNullable(block),
                Optional.ofNullable(wakeUp));
    }

    /** What is cordoned stays so when it fails; what somebody else cordoned is not ours. */
    private static boolean cordon(UpgradeNode node, UpgradePhase phase) {
        if (node.alone()) {
            return false;
        }
        if (phase == UpgradePhase.FAILED || phase == UpgradePhase.REQUIRED) {
            return node.cordonedByUs();
        }
        return phase.cordoned() && !NodeNeeds.cordonedByOthers(node);
    }
}
