package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.machine.RolloutPlan.Notice;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What label, note, journal and cordon of a node say together: the phase that it is in, and how sure that is.
 *
 * <p>The note is written with the label and the cordon at once, and by nobody but us: with it and one of the others a node has been
 * taken on ({@link Claim#STRONG}). Anything less may be a label set by hand, or what is left after the note was lost. Such a node
 * ({@link Claim#WEAK}) occupies a slot, since it may be half way through, but nothing is done to it before it got one in its turn.
 */
record Evidence(
        UpgradePhase phase,
        @Nullable JournalEntry entry,
        Claim claim,
        @Nullable Notice notice) {

    /** Whether a node occupies a slot. */
    enum Claim {
        NONE,
        WEAK,
        STRONG
    }

    static Evidence of(UpgradeNode node, @Nullable JournalEntry inJournal, String target, Instant now) {
        Optional<UpgradePhase> label = UpgradePhase.parse(node.label());
        @Nullable JournalEntry note = node.note().isEmpty()
                ? null
                : JournalEntry.parse(node.note())
                        .filter(entry -> known(entry.phase()))
                        .orElse(null);
        @Nullable Notice notice = null;
        if (label.isEmpty()) {
            notice = Notice.warning(
                    node.name(),
                    "UpgradeLabelUnreadable",
                    "the label says \"" + node.label() + "\", which is no phase");
        } else if (note == null && !node.note().isEmpty()) {
            notice =
                    Notice.warning(node.name(), "UpgradeNoteUnreadable", "the note cannot be read and is written anew");
        }
        @Nullable JournalEntry entry = note != null ? note : inJournal;
        if (entry != null) {
            entry = known(entry.phase()) ? entry.notAfter(now) : null;
        }
        Evidence found = judge(node, label.orElse(UpgradePhase.UNKNOWN), entry, note != null, target, now);
        return notice == null ? found : new Evidence(found.phase, found.entry, found.claim, notice);
    }

    private static boolean known(UpgradePhase phase) {
        return phase.inProgress() || phase == UpgradePhase.REQUIRED || phase == UpgradePhase.FAILED;
    }

    private static Evidence judge(
            UpgradeNode node,
            UpgradePhase label,
            @Nullable JournalEntry entry,
            boolean noted,
            String target,
            Instant now) {
        if (label == UpgradePhase.FAILED) {
            return failed(node, entry, noted, target, now);
        }
        if (entry == null) {
            boolean claims = label.inProgress() || node.cordonedByUs();
            return claims
                    ? new Evidence(UpgradePhase.REQUIRED, null, Claim.WEAK, null)
                    : new Evidence(label, null, Claim.NONE, null);
        }
        if (entry.phase().inProgress()) {
            return inProgress(node, label, entry, noted, now);
        }
        if (!noted && label == UpgradePhase.DONE && !node.cordonedByUs()) {
            // The journal is written later than the node.
            return new Evidence(label, null, Claim.NONE, null);
        }
        if (!noted) {
            // Whatever the journal says is what once was; the note of what came after it is lost.
            return new Evidence(UpgradePhase.REQUIRED, entry.waiting(entry.failures(), now), Claim.WEAK, null);
        }
        if (label.inProgress()) {
            return new Evidence(UpgradePhase.REQUIRED, entry.waiting(0, now), Claim.WEAK, edited(node, label, entry));
        }
        if (entry.phase() == UpgradePhase.REQUIRED || label == UpgradePhase.REQUIRED) {
            // On a failed node the label set to this asks for another attempt.
            int failures = entry.phase() == UpgradePhase.REQUIRED ? entry.failures() : 0;
            return new Evidence(UpgradePhase.REQUIRED, entry.waiting(failures, now), Claim.NONE, null);
        }
        return new Evidence(UpgradePhase.FAILED, entry, Claim.NONE, edited(node, label, entry));
    }

    private static Evidence inProgress(
            UpgradeNode node, UpgradePhase label, JournalEntry entry, boolean noted, Instant now) {
        boolean strong = noted && (label.inProgress() || node.cordonedByUs());
        if (!strong) {
            boolean stale = !noted && !label.inProgress() && !node.cordonedByUs() && !NodeNeeds.upgrade(node);
            return stale
                    ? new Evidence(label, null, Claim.NONE, null)
                    : new Evidence(UpgradePhase.REQUIRED, entry.waiting(entry.failures(), now), Claim.WEAK, null);
        }
        if (label.inProgress()) {
            return new Evidence(label, entry, Claim.STRONG, label == entry.phase() ? null : edited(node, label, entry));
        }
        UpgradePhase phase = label == UpgradePhase.REQUIRED ? UpgradePhase.CORDON : entry.phase();
        return new Evidence(phase, entry, Claim.STRONG, edited(node, label, entry));
    }

    /** A label set by hand does not free the slot; that we have written down that the node failed does. */
    private static Evidence failed(
            UpgradeNode node, @Nullable JournalEntry entry, boolean noted, String target, Instant now) {
        Claim claim = noted && entry != null && !entry.phase().inProgress() ? Claim.NONE : Claim.WEAK;
        if (entry != null && entry.phase() == UpgradePhase.FAILED) {
            return new Evidence(UpgradePhase.FAILED, entry, claim, null);
        }
        JournalEntry begin = entry == null
                ? JournalEntry.begin(UpgradePhase.FAILED, now, NodeNeeds.cordonedByOthers(node), target)
                : entry;
        return new Evidence(
                UpgradePhase.FAILED,
                begin.failed("SetByHand", "the label was set to upgrade-failed by somebody else", now),
                claim,
                null);
    }

    private static Notice edited(UpgradeNode node, UpgradePhase label, JournalEntry entry) {
        return Notice.warning(
                node.name(),
                "UpgradeLabelEdited",
                "the label was \"" + entry.phase().label() + "\" and somebody made it \"" + label.label() + "\"");
    }
}
