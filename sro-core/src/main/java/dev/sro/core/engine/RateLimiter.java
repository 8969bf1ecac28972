package dev.sro.core.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How often something may be done for each name: a number of times at once, and then one time for each distance that has passed. Not
 * thread-safe.
 */
final class RateLimiter {

    /** Names whose burst is whole again are forgotten when there are so many. */
    private static final int SWEEP = 1_000;

    private final Duration whole;
    private final Duration distance;

    /** Until when each name has used up what it may, were it to go on from now without a pause. */
    private final Map<String, Instant> spentUntil = new HashMap<>();

    /**
     * @param burst how often at once
     * @param distance after which one more is allowed
     */
    RateLimiter(int burst, Duration distance) {
        this.whole = distance.multipliedBy(burst - 1L);
        this.distance = distance;
    }

    /**
     * Takes one turn.
     *
     * @return how long to wait before it; zero for not at all
     */
    Duration take(String name, Instant now) {
        if (spentUntil.size() > SWEEP) {
            spentUntil.values().removeIf(until -> !until.isAfter(now));
        }
        Instant until = spentUntil.getOrDefault(name, now);
        Instant from = until.isBefore(now) ? now : until;
        spentUntil.put(name, from.plus(distance));
        Duration ahead = Duration.between(now, from);
        return ahead.compareTo(whole) > 0 ? ahead.minus(whole) : Duration.ZERO;
    }
}
