package dev.sro.core.engine.port;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Port: runs something later. Implementations are thread-safe. */
@FunctionalInterface
public interface Timers {

    /**
     * Runs the task once, after the delay.
     *
     * @return cancels it, if it did not run yet
     */
    Runnable schedule(Duration delay, Runnable task);

    /** Timers of an executor, which stays the caller's; one thread is enough. */
    static Timers of(ScheduledExecutorService executor) {
        return (delay, task) -> {
            ScheduledFuture<?> future = executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        };
    }
}
