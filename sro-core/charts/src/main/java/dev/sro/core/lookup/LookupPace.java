package dev.sro.core.lookup;

import java.time.Duration;

/**
 * How fast, and how many at once. Immutable.
 *
 * @param firstRetry the wait after the first look-up that was no success; each further one is twice as long
 * @param longestRetry the longest wait
 * @param deadline after which a look-up is given up, counted from when a thread began it, or from when one was asked for that never did
 * @param tasks tasks at once
 * @param batch look-ups of one task, one after the other, before others get their turn
 * @param idle after which what nobody asked for is forgotten
 */
public record LookupPace(
        Duration firstRetry, Duration longestRetry, Duration deadline, int tasks, int batch, Duration idle) {

    /** For as many tasks as there are questions. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** More doublings than any wait needs. */
    private static final int MAX_DOUBLINGS = 20;

    /** @throws IllegalArgumentException if nothing would ever be looked up, or without a wait */
    public LookupPace {
        if (tasks < 1 || batch < 1 || !isPositive(firstRetry) || !isPositive(deadline) || !isPositive(idle)) {
            throw new IllegalArgumentException(
                    "tasks, batch, firstRetry, deadline and idle have to be more than nothing: " + tasks + ", " + batch
                            + ", " + firstRetry + ", " + deadline + ", " + idle);
        }
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    /**
     * How long to wait.
     *
     * @param failures look-ups without success before this one
     */
    Duration retry(int failures) {
        Duration wait = firstRetry.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS));
        return wait.compareTo(longestRetry) > 0 ? longestRetry : wait;
    }
}
