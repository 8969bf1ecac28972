package dev.sro.core.upgrade.machine;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a node in progress, or of one where an attempt failed. Immutable.
 *
 * @param phase as last decided
 * @param since when the phase began, to the second
 * @param started when the attempt began to take from the node, after jobs had been waited for
 * @param jobsOver whether jobs had their time, so that they are not waited for again
 * @param failures attempts for this target that failed
 * @param cordonedBefore whether somebody else had made the node unschedulable when the attempt began
 * @param bootId boot that a reboot has to leave behind; empty when none is needed
 * @param replaces uid of a pod that is replaced, and its users evicted, whatever its revision asks for; empty for none
 * @param target identity of the driver that the attempt is for
 * @param problem code of the last failure; empty for none
 * @param message of the last failure; at most {@value #MAX_MESSAGE} characters
 */
public record JournalEntry(
        UpgradePhase phase,
        Instant since,
        Optional<Instant> started,
        boolean jobsOver,
        int failures,
        boolean cordonedBefore,
        String bootId,
        String replaces,
        String target,
        String problem,
        String message) {

    /** Longer messages are cut. */
    public static final int MAX_MESSAGE = 160;

    /** Checks and cuts. */
    public JournalEntry {
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(started, "started");
        message = message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE - 1) + "…" : message;
    }

    /** An entry of a node on which nothing failed yet. */
    static JournalEntry begin(UpgradePhase phase, Instant since, boolean cordonedBefore, String target) {
        return new JournalEntry(phase, since, Optional.empty(), false, 0, cordonedBefore, "", "", target, "", "");
    }

    /** As one line of words, which {@link #parse} reads: about 120 bytes, at most about 1 KiB. */
    public String text() {
        return new KeyValueLine()
                .put("phase", phase == UpgradePhase.UNKNOWN ? "unknown" : phase.label())
                .put("since", since.toString())
                .put("started", started)
                .put("jobs", jobsOver ? "over" : "")
                .put("failures", failures == 0 ? "" : String.valueOf(failures))
                .put("cordoned", cordonedBefore ? "before" : "")
                .put("boot", bootId)
                .put("replaces", replaces)
                .put("target", target)
                .put("problem", problem)
                .put("message", message)
                .toString();
    }

    /** Reads {@link #text()}, edited by hand or not. Empty if it has no phase, no time, or a number that is none. Never throws. */
    public static Optional<JournalEntry> parse(String text) {
        Map<String, String> words = KeyValueLine.read(text);
        String phaseWord = words.getOrDefault("phase", "");
        Optional<UpgradePhase> phase = phaseWord.equals("unknown")
                ? Optional.of(UpgradePhase.UNKNOWN)
                : UpgradePhase.parse(phaseWord).filter(known -> known != UpgradePhase.UNKNOWN);
        @Nullable Instant since = KeyValueLine.time(words.get("since"));
        int failures = KeyValueLine.number(words.get("failures"));
        if (phase.isEmpty() || since == null || failures < 0) {
            return Optional.empty();
        }
        return Optional.of(new JournalEntry(
                phase.get(),
                since,
                Optional.ofNullable(KeyValueLine.time(words.get("started"))),
                "over".equals(words.get("jobs")),
                failures,
                "before".equals(words.get("cordoned")),
                words.getOrDefault("boot", ""),
                words.getOrDefault("replaces", ""),
                words.getOrDefault("target", ""),
                words.getOrDefault("problem", ""),
                words.getOrDefault("message", "")));
    }

    /** In another phase from now on. */
    JournalEntry at(UpgradePhase next, Instant now) {
        return next == phase ? this : copy(next, now, started, jobsOver, bootId, replaces);
    }

    /** An attempt that takes from the node from now on. */
    JournalEntry begun(Instant now) {
        return started.isPresent() ? this : copy(phase, since, Optional.of(now), jobsOver, bootId, replaces);
    }

    JournalEntry withJobsOver() {
        return copy(phase, since, started, true, bootId, replaces);
    }

    JournalEntry withBootId(String boot) {
        return copy(phase, since, started, jobsOver, boot, replaces);
    }

    /** For another driver: its time limits begin anew, and no attempt for it failed yet. */
    JournalEntry forTarget(String next, Instant now) {
        return next.equals(target)
                ? this
                : new JournalEntry(
                        phase, now, started.map(begin -> now), jobsOver, 0, cordonedBefore, "", "", next, "", "");
    }

    /** WaitingNode for its turn, with so many failures. */
    JournalEntry waiting(int failed, Instant now) {
        return new JournalEntry(
                UpgradePhase.REQUIRED,
                phase == UpgradePhase.REQUIRED ? since : now,
                Optional.empty(),
                false,
                failed,
                cordonedBefore,
                "",
                "",
                target,
                problem,
                message);
    }

    /** At the beginning of an attempt. */
    JournalEntry admitted(UpgradePhase first, Instant now, boolean cordoned, String uid) {
        return new JournalEntry(
                first, now, Optional.empty(), false, failures, cordoned, "", uid, target, problem, message);
    }

    JournalEntry failed(String code, String why, Instant now) {
        return new JournalEntry(
                UpgradePhase.FAILED,
                now,
                Optional.empty(),
                false,
                failures + 1,
                cordonedBefore,
                "",
                "",
                target,
                code,
                why);
    }

    /** What the last failure was, as why the node does not go on. */
    StepBlock failure() {
        return new StepBlock(problem.isEmpty() ? "UpgradeFailed" : problem, message, since, List.of());
    }

    /** With a time that is not after now, whatever a clock or a hand wrote. */
    JournalEntry notAfter(Instant now) {
        return since.isAfter(now) || started.filter(now::isBefore).isPresent()
                ? copy(
                        phase,
                        since.isAfter(now) ? now : since,
                        started.map(at -> at.isAfter(now) ? now : at),
                        jobsOver,
                        bootId,
                        replaces)
                : this;
    }

    private JournalEntry copy(
            UpgradePhase next, Instant at, Optional<Instant> begin, boolean over, String boot, String uid) {
        return new JournalEntry(next, at, begin, over, failures, cordonedBefore, boot, uid, target, problem, message);
    }
}
