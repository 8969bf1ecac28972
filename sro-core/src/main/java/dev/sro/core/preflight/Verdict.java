package dev.sro.core.preflight;

import dev.sro.api.resource.PreflightEvidence;
import dev.sro.api.resource.VerificationStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * A verdict with its evidence. Immutable.
 *
 * @param reason for a person
 * @param code for programs: {@link #BUILDABLE}, or what is wrong with the image that the driver would get; else empty
 */
record Verdict(VerificationStatus status, String reason, List<PreflightEvidence> evidence, String code) {

    /** Of {@code True}: an image does not exist yet, and can be built. */
    static final String BUILDABLE = "CouldBeBuilt";

    Verdict(VerificationStatus status, String reason, List<PreflightEvidence> evidence) {
        this(status, reason, evidence, "");
    }

    Verdict {
        evidence = List.copyOf(evidence);
    }

    static Verdict error(String reason) {
        return new Verdict(VerificationStatus.ERROR, reason, List.of());
    }

    static Verdict unknown(String reason) {
        return new Verdict(VerificationStatus.UNKNOWN, reason, List.of());
    }

    /** With something beside that does not change it; nothing where that is empty. */
    Verdict noting(String note) {
        return note.isEmpty() ? this : new Verdict(status, reason + "; " + note, evidence, code);
    }

    /** Both together: the worse status, with its reason. What is not known yet is the worst: it may still become anything. */
    Verdict and(Verdict other) {
        List<PreflightEvidence> both = new ArrayList<>(evidence);
        both.addAll(other.evidence);
        boolean mine = rank(status) >= rank(other.status);
        String words = status == other.status && !reason.equals(other.reason)
                ? reason + "; " + other.reason
                : mine ? reason : other.reason;
        boolean others = !mine || (status == other.status && code.isEmpty());
        return new Verdict(mine ? status : other.status, words, both, others ? other.code : code);
    }

    private static int rank(VerificationStatus status) {
        return switch (status) {
            case TRUE -> 0;
            case ERROR -> 1;
            case FALSE -> 2;
            case UNKNOWN -> 3;
        };
    }
}
