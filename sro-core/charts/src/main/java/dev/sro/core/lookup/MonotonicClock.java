package dev.sro.core.lookup;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time of day on a clock that never goes back: what waits are measured with. It follows a wall clock that is set forward; while
 * one that was set back has not caught up, it goes on from where it was at the pace of the counter. Instants are whole nanoseconds,
 * from the years 1678 to 2262. Thread-safe.
 */
public final class MonotonicClock extends Clock {

    private static final long NANOS = 1_000_000_000L;

    private final Clock wall;
    private final LongSupplier nanos;
    /** The largest difference between the two that was seen. */
    private final AtomicLong ahead;

    private MonotonicClock(Clock wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
        this.ahead = new AtomicLong(nanos(wall.instant()) - nanos.getAsLong());
    }

    /** The system's. */
    public static MonotonicClock system() {
        return of(Clock.systemUTC(), System::nanoTime);
    }

    /**
     * Of these.
     *
     * @param wall the time of day, which somebody may set
     * @param nanos counts nanoseconds from anywhere, only forward
     */
    public static MonotonicClock of(Clock wall, LongSupplier nanos) {
        return new MonotonicClock(wall, nanos);
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NANOS), instant.getNano());
    }

    @Override
    public Instant instant() {
        long count = nanos.getAsLong();
        long difference = nanos(wall.instant()) - count;
        long known = ahead.accumulateAndGet(difference, Math::max);
        return Instant.ofEpochSecond(0, known + count);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /** The time zone does not matter for instants: returns this clock itself. */
    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
