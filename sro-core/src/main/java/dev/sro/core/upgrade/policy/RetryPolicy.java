package dev.sro.core.upgrade.policy;

import java.time.Duration;

/**
 * What happens to a node where the upgrade failed, before somebody asks for another attempt. Each attempt needs a slot, is counted,
 * and is reported. Immutable.
 *
 * @param retries attempts after the first one; 0 for none
 * @param backoff time from the first failure to the next attempt, doubled with each further failure; positive
 * @param maxBackoff upper bound of it
 * @param whenReady whether a node whose driver became the wanted one and ready in the meantime is tried again even when no retry is
 *     left (it is validated, as any other)
 */
public record RetryPolicy(int retries, Duration backoff, Duration maxBackoff, boolean whenReady) {

    /** No retry, save of nodes whose driver got ready by itself: after 1 minute at first, after 1 hour at most. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(0, Duration.ofMinutes(1), Duration.ofHours(1), true);

    /** Checks. */
    public RetryPolicy {
        if (retries < 0) {
            throw new IllegalArgumentException("RetryPolicy.retries: " + retries + " must not be negative");
        }
        if (backoff.isNegative() || backoff.isZero() || maxBackoff.compareTo(backoff) < 0) {
            throw new IllegalArgumentException("RetryPolicy.backoff: must be positive and at most maxBackoff");
        }
    }

    /** Time from the failure with this number (1 is the first) to the next attempt. */
    public Duration after(int failures) {
        Duration wait = backoff;
        for (int i = 1; i < failures && wait.compareTo(maxBackoff) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(maxBackoff) < 0 ? wait : maxBackoff;
    }
}
