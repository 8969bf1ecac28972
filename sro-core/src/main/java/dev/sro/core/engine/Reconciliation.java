package dev.sro.core.engine;

import dev.sro.core.plan.Plan;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a reconcile did. Immutable.
 *
 * @param plan the last plan made; null when the special resource does not exist
 * @param writes how many writes were made
 * @param failures how many were refused
 * @param wakeUp when to reconcile again although nothing changes
 */
public record Reconciliation(@Nullable Plan plan, int writes, int failures, Optional<Instant> wakeUp) {

    static Reconciliation gone() {
        return new Reconciliation(null, 0, 0, Optional.empty());
    }
}
