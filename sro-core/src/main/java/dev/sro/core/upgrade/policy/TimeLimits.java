package dev.sro.core.upgrade.policy;

import java.time.Duration;

/** Checks of time limits in policies. */
final class TimeLimits {

    private TimeLimits() {}

    /** @param field for the message, with its type */
    static void check(String field, Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException(field + ": " + limit + " must not be negative");
        }
    }
}
