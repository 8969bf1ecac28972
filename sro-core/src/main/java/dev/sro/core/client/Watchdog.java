package dev.sro.core.client;

import dev.sro.core.engine.Timers;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after the watches of {@link Informers} at intervals until it is closed. Thread-safe. */
final class Watchdog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    private static final Duration AT_LEAST = Duration.ofMinutes(1);

    private final Consumer<Duration> check;
    private final Timers timers;
    private final Duration silence;
    private final Duration interval;
    private Runnable cancel = () -> {};
    private boolean closed;

    Watchdog(Consumer<Duration> check, Timers timers, Duration silence) {
        this.check = check;
        this.timers = timers;
        this.silence = silence;
        Duration quarter = silence.dividedBy(4);
        this.interval = quarter.compareTo(AT_LEAST) < 0 ? quarter : AT_LEAST;
        next();
    }

    private synchronized void next() {
        if (!closed) {
            cancel = timers.schedule(interval, this::look);
        }
    }

    private void look() {
        try {
            check.accept(silence);
        } catch (RuntimeException | Error e) {
            LOG.atError().setCause(e).log("cannot look after the watches");
        } finally {
            next();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        cancel.run();
    }
}
