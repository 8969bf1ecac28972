package dev.sro.runtime.operator;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** So many requests per second, and so many at once after a pause: a token bucket. Thread-safe. */
final class RateLimit {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long interval;
    private final long reserve;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    /** When the bucket would be full again if nothing were taken. */
    private long fullAt;

    /** Nothing is let through before; in the past unless somebody asked for a pause. */
    private long notBefore;

    /**
     * @param perSecond requests per second in the long run, more than 0
     * @param burst requests that may be made at once, at least 1
     * @param nanos a clock that only goes forward, in nanoseconds
     */
    RateLimit(double perSecond, int burst, LongSupplier nanos) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException(
                    "rate " + perSecond + " and burst " + burst + " must be more than 0 and at least 1");
        }
        this.interval = Math.max(1, Math.round(SECOND / perSecond));
        this.reserve = interval * (burst - 1L);
        this.nanos = nanos;
        this.fullAt = nanos.getAsLong();
        this.notBefore = fullAt;
    }

    /** Takes a place in the order of calls. Returns how long to wait before making the request, in nanoseconds. */
    long take() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            fullAt = Math.max(fullAt, now) + interval;
            return Math.max(0, Math.max(fullAt - interval - reserve, notBefore) - now);
        } finally {
            lock.unlock();
        }
    }

    /** Takes a place only if there is no wait for it. Returns whether it did. */
    boolean tryTake() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            if (Math.max(fullAt, now) - reserve > now || notBefore > now) {
                return false;
            }
            fullAt = Math.max(fullAt, now) + interval;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets nothing through for so long, in nanoseconds; what waits already is not held up. */
    void pause(long pause) {
        lock.lock();
        try {
            notBefore = Math.max(notBefore, nanos.getAsLong() + pause);
        } finally {
            lock.unlock();
        }
    }
}
