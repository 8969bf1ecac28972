package dev.sro.agent.slice;

import java.util.List;

/**
 * What was put right, and what could not be. Immutable.
 *
 * @param repaired one sentence each
 * @param left one sentence each; tried again with the next look
 */
public record RepairReport(List<String> repaired, List<String> left) {
    /** Copies the lists. */
    public RepairReport {
        repaired = List.copyOf(repaired);
        left = List.copyOf(left);
    }
}
