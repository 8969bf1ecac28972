package dev.sro.agent.publish;

import dev.sro.agent.device.DeviceException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls the publisher when there is reason to: at the start, when claims come and go, when an order is due, with each look, and again after
 * a failure, later each time. Thread-safe; the publisher is called by one thread at a time.
 */
public final class PublishLoop {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Step publisher;
    private final ScheduledExecutorService executor;
    private final Clock clock;
    private final Consumer<String> log;
    private @Nullable ScheduledFuture<?> next;
    private Instant nextAt = Instant.MAX;
    private boolean look;
    private Duration wait = FIRST_WAIT;
    private boolean published;

    /** What is called: {@link SlicePublisher#publish}. */
    @FunctionalInterface
    public interface Step {
        /** Writes what is to be written by now, and says when to come again. */
        Optional<Instant> publish(Instant now, boolean look) throws IOException, DeviceException;
    }

    /**
     * Does nothing before the first call.
     *
     * @param publisher what is called
     * @param executor of one thread; not closed here
     * @param log takes a sentence at a time
     */
    public PublishLoop(Step publisher, ScheduledExecutorService executor, Clock clock, Consumer<String> log) {
        this.publisher = publisher;
        this.executor = executor;
        this.clock = clock;
        this.log = log;
    }

    /** Something changed: publishes at once, on the executor. */
    public void changed() {
        schedule(clock.instant());
    }

    /** As {@link #changed}, with a look at everything. */
    public synchronized void look() {
        look = true;
        schedule(clock.instant());
    }

    private synchronized void schedule(Instant at) {
        if (!at.isBefore(nextAt)) {
            return;
        }
        if (next != null) {
            next.cancel(false);
        }
        try {
            long millis = Math.max(0, Duration.between(clock.instant(), at).toMillis());
            next = executor.schedule(this::run, millis, TimeUnit.MILLISECONDS);
            nextAt = at;
        } catch (RejectedExecutionException e) {
            // The agent ends.
            nextAt = Instant.MAX;
        }
    }

    private synchronized boolean begin() {
        boolean whole = look;
        look = false;
        next = null;
        nextAt = Instant.MAX;
        return whole;
    }

    private void run() {
        boolean whole = begin();
        try {
            Optional<Instant> again = publisher.publish(clock.instant(), whole);
            succeeded(again);
        } catch (IOException | DeviceException e) {
            failed(String.valueOf(e.getMessage()), whole);
        } catch (RuntimeException e) {
            // A defect in one call must not be the end of all.
            failed(e.toString(), whole);
        }
    }

    /** Whether all that was to be written has been, once at least. */
    public synchronized boolean hasPublished() {
        return published;
    }

    private synchronized void succeeded(Optional<Instant> again) {
        published = true;
        wait = FIRST_WAIT;
        again.ifPresent(this::schedule);
    }

    private synchronized void failed(String why, boolean whole) {
        log.accept("not published, again in " + wait.toSeconds() + " s: " + why);
        look |= whole;
        schedule(clock.instant().plus(wait));
        wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait.multipliedBy(2);
    }
}
