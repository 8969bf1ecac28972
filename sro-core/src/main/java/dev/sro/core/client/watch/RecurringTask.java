package dev.sro.core.client.watch;

import dev.sro.core.engine.port.Timers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something at intervals until it is closed, whatever it throws. Thread-safe. */
public final class RecurringTask implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RecurringTask.class);

    private static final Duration WATCHDOG = Duration.ofMinutes(1);

    private final String what;
    private final Duration interval;
    private final Runnable task;
    private final Timers timers;
    private Runnable cancel = () -> {};
    private boolean closed;

    /**
     * Begins with the first interval.
     *
     * @param what after "cannot", for the log
     */
    public RecurringTask(String what, Duration interval, Runnable task, Timers timers) {
        this.what = what;
        this.interval = interval;
        this.task = task;
        this.timers = timers;
        next();
    }

    /** How often watches are looked after that may be silent for so long: four times in that, and once a minute at least. */
    public static Duration watchdog(Duration silence) {
        Duration quarter = silence.dividedBy(4);
        return quarter.compareTo(WATCHDOG) < 0 ? quarter : WATCHDOG;
    }

    private synchronized void next() {
        if (!closed) {
            cancel = timers.schedule(interval, this::run);
        }
    }

    private void run() {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.atError().setCause(e).log("cannot {}", what);
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
