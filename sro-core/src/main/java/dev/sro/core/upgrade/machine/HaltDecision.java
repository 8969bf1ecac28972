package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a rollout halts for its failures, and goes back.
 *
 * @param halt why; empty if it does not
 * @param forgiven failures that do not count
 * @param rejected driver that is rolled back; empty for none
 */
record HaltDecision(Optional<Journal.Halt> halt, int forgiven, String rejected) {

    static HaltDecision decide(
            RolloutPolicy policy, Journal journal, String target, NodeCounts counts, boolean resumed, Instant now) {
        int forgiven = resumed ? counts.failed : Math.min(journal.forgiven(), counts.failed);
        Optional<Journal.Halt> halt = resumed ? Optional.empty() : journal.halt();
        if (halt.isEmpty()) {
            halt = reason(policy, counts, forgiven).map(reason -> new Journal.Halt(now, reason));
        }
        String rejected = resumed ? "" : journal.rejected();
        boolean back = halt.isPresent()
                && policy.automaticRollback()
                && target.equals(policy.target())
                && !journal.good().isEmpty()
                && !journal.good().equals(target);
        return new HaltDecision(halt, forgiven, back ? target : rejected);
    }

    private static Optional<String> reason(RolloutPolicy policy, NodeCounts counts, int forgiven) {
        Optional<Integer> limit = policy.haltOnFailures().map(share -> Math.max(1, share.of(counts.nodes)));
        if (limit.isPresent() && counts.failed - forgiven >= limit.get()) {
            return Optional.of(counts.failed + " of " + counts.nodes + " nodes failed");
        }
        return counts.waves.halts(forgiven);
    }

    boolean halted() {
        return halt.isPresent();
    }
}
