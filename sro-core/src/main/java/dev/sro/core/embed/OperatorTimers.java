package dev.sro.core.embed;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Runs something later: an executor, an event loop, the clock of a test. Implementations are thread-safe. */
@FunctionalInterface
public interface OperatorTimers {

    /**
     * Runs the task once, after the delay. Tasks are short; they hand work to others.
     *
     * @return cancels it, if it did not run yet
     */
    Runnable schedule(Duration delay, Runnable task);

    /** Those of an executor, which is not shut down; one thread is enough. */
    static OperatorTimers of(ScheduledExecutorService executor) {
        return (delay, task) -> {
            ScheduledFuture<?> future = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        };
    }
}
