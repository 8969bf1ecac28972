package dev.sro.runtime.waiting;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * So much of something per minute: what is left over is saved up for one minute, and what costs more than is there may be begun as long as there is
 * something, and is paid off before the next. Not thread-safe.
 */
final class TokenBudget {
    private static final double MINUTE = Duration.ofMinutes(1).toMillis();

    private final int perMinute;
    private final Clock clock;
    private double saved;
    private Instant since;

    TokenBudget(int perMinute, Clock clock) {
        this.perMinute = perMinute;
        this.clock = clock;
        this.saved = perMinute;
        this.since = clock.instant();
    }

    /** Whether something may be begun. */
    boolean allows() {
        Instant now = clock.instant();
        long passed = Math.max(0, Duration.between(since, now).toMillis());
        saved = Math.min(perMinute, saved + passed / MINUTE * perMinute);
        since = now;
        return saved > 0;
    }

    /** Notes what something cost. */
    void spend(long cost) {
        saved -= cost;
    }
}
