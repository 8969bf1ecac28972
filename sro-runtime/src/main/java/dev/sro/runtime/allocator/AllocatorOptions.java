package dev.sro.runtime.allocator;

import java.time.Duration;
import java.util.Optional;

/**
 * What the allocator does. Immutable.
 *
 * @param driver whose devices it gives
 * @param preempts whether pods of lower priority end where one finds no room
 * @param makeRoom whether others move where one finds no room
 * @param holdAfter how long pods that find no room wait before room is held for them; empty if it never is
 * @param limits whether it makes templates for pods that have a claim in place of their limits
 */
record AllocatorOptions(
        String driver, boolean preempts, MakeRoom makeRoom, Optional<Duration> holdAfter, boolean limits) {
    /** For pods with claims alone. */
    AllocatorOptions(String driver, boolean preempts, MakeRoom makeRoom, Optional<Duration> holdAfter) {
        this(driver, preempts, makeRoom, holdAfter, false);
    }
}
