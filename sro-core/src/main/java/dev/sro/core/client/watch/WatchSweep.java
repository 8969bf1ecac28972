package dev.sro.core.client.watch;

import dev.sro.core.engine.port.Timers;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * When what nobody needs any more is let go of. What is needed is told by the plans alone, each time that they ask: after a doubt (a
 * special resource came, changed or went, and every one is reconciled) and some patience, what was not asked for since is not needed.
 * Thread-safe.
 */
public final class WatchSweep implements AutoCloseable {

    /** Between a doubt and what it leads to: far longer than a reconcile takes, or the wait for one. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Timers timers;
    private final LongConsumer unneeded;
    private long doubts;
    private boolean waiting;
    private boolean closed;
    private Runnable cancel = () -> {};

    /**
     * @param unneeded told a count of doubts: whatever was asked for last at a smaller one is not needed
     */
    public WatchSweep(Timers timers, LongConsumer unneeded) {
        this.timers = timers;
        this.unneeded = unneeded;
    }

    /** The count of doubts so far: what is asked for now is noted with it. */
    public synchronized long now() {
        return doubts;
    }

    /** Everybody is reconciled now, and says again what is needed. */
    public synchronized void doubt() {
        doubts++;
        if (!waiting) {
            later();
        }
    }

    private synchronized void later() {
        waiting = !closed;
        if (waiting) {
            long since = doubts;
            cancel = timers.schedule(PATIENCE, () -> sweep(since));
        }
    }

    private void sweep(long since) {
        try {
            unneeded.accept(since);
        } finally {
            synchronized (this) {
                waiting = false;
                if (doubts > since) {
                    later();
                }
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        cancel.run();
    }
}
