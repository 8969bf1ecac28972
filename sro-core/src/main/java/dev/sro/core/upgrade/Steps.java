package dev.sro.core.upgrade;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes steps of where a node shall be. */
final class Steps {

    private Steps() {}

    /**
     * The step to an entry; without one, to done.
     *
     * @param actions that are left out if the node has to be written first
     */
    static NodeStep of(
            UpgradeNode node,
            @Nullable JournalEntry entry,
            List<NodeAction> actions,
            @Nullable StepBlock block,
            @Nullable Instant wakeUp,
            boolean answers) {
        UpgradePhase phase = entry == null ? UpgradePhase.DONE : entry.phase();
        return of(node, phase, entry, cordon(node, phase), actions, block, wakeUp, answers);
    }

    /** The step of a node that is in no transition to a phase, without a note. */
    static NodeStep settled(UpgradeNode node, UpgradePhase phase, @Nullable StepBlock block) {
        return of(node, phase, null, false, List.of(), block, null, false);
    }

    static NodeStep of(
            UpgradeNode node,
            UpgradePhase phase,
            @Nullable JournalEntry entry,
            boolean cordon,
            List<NodeAction> actions,
            @Nullable StepBlock block,
            @Nullable Instant wakeUp,
            boolean answers) {
        String note = entry == null ? "" : entry.text();
        boolean write = answers
                || cordon != node.cordonedByUs()
                || !phase.label().equals(node.label())
                || !note.equals(node.note());
        return new NodeStep(
                node.name(),
                phase,
                cordon,
                note,
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
        return phase.cordoned() && !Needs.cordonedByOthers(node);
    }
}
