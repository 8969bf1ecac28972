package dev.sro.core.upgrade;

import java.time.Instant;
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
 * @param failures attempts for this target that failed
 * @param cordonedBefore whether somebody else had made the node unschedulable when the attempt began
 * @param bootId boot that a reboot has to leave behind; empty when none is needed
 * @param replaces uid of a pod that is replaced although it is of the wanted revision; empty for none
 * @param target identity of the driver that the attempt is for
 * @param problem code of the last failure; empty for none
 * @param message of the last failure; at most {@value #MAX_MESSAGE} characters
 */
public record JournalEntry(
        UpgradePhase phase,
        Instant since,
        Optional<Instant> started,
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
        return new JournalEntry(phase, since, Optional.empty(), 0, cordonedBefore, "", "", target, "", "");
    }

    /** As one line of words, which {@link #parse} reads: about 120 bytes, at most about 1 KiB. */
    public String text() {
        return new Words()
                .put("phase", phase == UpgradePhase.UNKNOWN ? "unknown" : phase.label())
                .put("since", since.toString())
                .put("started", started)
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
        Map<String, String> words = Words.read(text);
        String phaseWord = words.getOrDefault("phase", "");
        Optional<UpgradePhase> phase = phaseWord.equals("unknown")
                ? Optional.of(UpgradePhase.UNKNOWN)
                : UpgradePhase.parse(phaseWord).filter(known -> known != UpgradePhase.UNKNOWN);
        @Nullable Instant since = Words.time(words.get("since"));
        int failures = Words.number(words.get("failures"));
        if (phase.isEmpty() || since == null || failures < 0) {
            return Optional.empty();
        }
        return Optional.of(new JournalEntry(
                phase.get(),
                since,
                Optional.ofNullable(Words.time(words.get("started"))),
                failures,
                "before".equals(words.get("cordoned")),
                words.getOrDefault("boot", ""),
                words.getOrDefault("replaces", ""),
                words.getOrDefault("target", ""),
                words.getOrDefault("problem", ""),
                words.getOrDefault("message", "")));
    }

    JournalEntry at(UpgradePhase next, Instant now) {
        return next == phase
                ? this
                : new JournalEntry(
                        next, now, started, failures, cordonedBefore, bootId, replaces, target, problem, message);
    }
}
