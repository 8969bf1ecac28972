package dev.sro.testkit.podsecurity;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a pod does that a standard forbids.
 *
 * @param reason in a few words, the same for all pods
 * @param detail which containers, volumes or values
 */
public record Violation(String reason, String detail) {

    /** The reasons alone, for many pods at once. */
    public static String reasons(List<Violation> violations) {
        return violations.stream().map(Violation::reason).collect(Collectors.joining(", "));
    }

    /** The reasons with their details, for one pod. */
    public static String details(List<Violation> violations) {
        return violations.stream().map(Violation::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return detail.isEmpty() ? reason : reason + " (" + detail + ")";
    }
}
