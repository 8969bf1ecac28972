package dev.sro.core.upgrade;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether a rollout halts for its failures, and goes back.
 *
 * @param halt why; empty if it does not
 * @param forgiven failures that do not count
 * @param rejected driver that is rolled back; empty for none
 */
record Halting(Optional<Journal.Halt> halt, int forgiven, String rejected) {

    static Halting of(
            RolloutPolicy policy, Journal journal, String target, NodeCounts census, boolean resumed, Instant now) {
        int forgiven = resumed ? census.failed : Math.min(journal.forgiven(), census.failed);
        Optional<Journal.Halt> halt = resumed ? Optional.empty() : journal.halt();
        if (halt.isEmpty()) {
            halt = reason(policy, census, forgiven).map(reason -> new Journal.Halt(now, reason));
        }
        String rejected = resumed ? "" : journal.rejected();
        boolean back = halt.isPresent()
                && policy.automaticRollback()
                && target.equals(policy.target())
                && !journal.good().isEmpty()
                && !journal.good().equals(target);
        return new Halting(halt, forgiven, back ? target : rejected);
    }

    private static Optional<String> reason(RolloutPolicy policy, NodeCounts census, int forgiven) {
        Optional<Integer> limit = policy.haltOnFailures().map(share -> Math.max(1, share.of(census.nodes)));
        if (limit.isPresent() && census.failed - forgiven >= limit.get()) {
            return Optional.of(census.failed + " of " + census.nodes + " nodes failed");
        }
        return census.waves.halts(forgiven);
    }

    boolean halted() {
        return halt.isPresent();
    }
}
