package dev.sro.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The time of an embedded cluster, with timers. A stepped clock moves only by {@link #advance}; a real-time clock follows the
 * system clock, and its timers run when somebody calls {@link #runDue} (the embedded cluster does).
 *
 * <p>Timers run in the order of their due time, then of their registration, on the thread that advances the clock.
 * Thread-safe; no lock is held while a timer runs.
 */
public final class VirtualClock extends Clock {
    private record Entry(Instant due, long order, Runnable work, AtomicBoolean cancelled) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = due.compareTo(other.due);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** A scheduled piece of work. */
    @FunctionalInterface
    public interface Timer {
        /** Makes sure that the work does not run, unless it has begun already. */
        void cancel();
    }

    private final @Nullable Clock real;
    private final PriorityQueue<Entry> timers = new PriorityQueue<>();
    private Instant now;
    private long order;
    private Runnable afterEach = () -> {};
    private Runnable onSchedule = () -> {};

    private VirtualClock(Instant start, @Nullable Clock real) {
        this.now = start;
        this.real = real;
    }

    /** A clock that stands still at {@code start} until it is advanced. */
    public static VirtualClock stepped(Instant start) {
        return new VirtualClock(Objects.requireNonNull(start, "start"), null);
    }

    /** A clock that follows the system clock. */
    public static VirtualClock realTime() {
        Clock system = Clock.systemUTC();
        return new VirtualClock(system.instant(), system);
    }

    /** Whether this clock moves only when told to. */
    public boolean isStepped() {
        return real == null;
    }

    @Override
    public synchronized Instant instant() {
        return real == null ? now : real.instant();
    }

    /** The same as {@link #instant()}. */
    public Instant now() {
        return instant();
    }

    /**
     * Moves time forward and runs every timer that falls due on the way, each at its own time. On a real-time clock it only runs
     * what is due by now.
     *
     * @throws IllegalArgumentException if the duration is negative
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards: " + by);
        }
        Instant target = real == null ? instant().plus(by) : instant();
        Entry next = pollDue(target);
        while (next != null) {
            run(next);
            next = pollDue(target);
        }
        synchronized (this) {
            if (now.isBefore(target)) {
                now = target;
            }
        }
    }

    /** Runs {@code work} when the clock reaches {@code at}; a time in the past means the next {@link #runDue} or advance. */
    public Timer schedule(Instant at, Runnable work) {
        AtomicBoolean cancelled = new AtomicBoolean();
        Runnable wake;
        synchronized (this) {
            timers.add(new Entry(at, order++, work, cancelled));
            wake = onSchedule;
        }
        wake.run();
        return () -> cancelled.set(true);
    }

    /** Runs {@code work} after {@code delay}. */
    public Timer after(Duration delay, Runnable work) {
        return schedule(instant().plus(delay), work);
    }

    /** When the next timer falls due. */
    public synchronized Optional<Instant> nextDue() {
        dropCancelled();
        Entry head = timers.peek();
        return head == null ? Optional.empty() : Optional.of(head.due());
    }

    /** Runs the timers that are due now, without moving the time. Returns whether any ran. */
    public boolean runDue() {
        boolean any = false;
        Entry next = pollDue(instant());
        while (next != null) {
            any = true;
            run(next);
            next = pollDue(instant());
        }
        return any;
    }

    /** Sets what runs after each timer: the embedded cluster lets its controllers work then. */
    synchronized void afterEach(Runnable hook) {
        this.afterEach = hook;
    }

    /** Sets what is told of a new timer: the real-time loop recomputes its sleep. */
    synchronized void onSchedule(Runnable hook) {
        this.onSchedule = hook;
    }

    private void run(Entry entry) {
        Runnable hook;
        synchronized (this) {
            hook = afterEach;
        }
        entry.work().run();
        hook.run();
    }

    private synchronized @Nullable Entry pollDue(Instant limit) {
        dropCancelled();
        Entry head = timers.peek();
        if (head == null || head.due().isAfter(limit)) {
            return null;
        }
        timers.poll();
        if (real == null && now.isBefore(head.due())) {
            now = head.due();
        }
        return head;
    }

    private void dropCancelled() {
        Entry head = timers.peek();
        while (head != null && head.cancelled().get()) {
            timers.poll();
            head = timers.peek();
        }
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
