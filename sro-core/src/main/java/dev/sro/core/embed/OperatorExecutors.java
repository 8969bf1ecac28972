package dev.sro.core.embed;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The threads of a {@link SpecialResourceOperator}, where they are to be the application's own. None of them is shut down. Immutable.
 *
 * @param workers runs reconciles, as many at once as it has threads; one special resource never twice at once
 * @param blocking runs what waits for others: charts, registries, logs, the election, writes to different nodes. With a lease it needs
 *     threads as they are asked for (a cached pool, virtual threads), or a slow registry costs the lease
 * @param pluginCalls starts a thread for each call of a plugin, so that there can be a deadline; empty to call plugins on the workers,
 *     without one
 * @param timers wakes up
 */
public record OperatorExecutors(
        Executor workers, Executor blocking, Optional<ExecutorService> pluginCalls, OperatorTimers timers) {

    /**
     * Three executors.
     *
     * @param workers runs reconciles
     * @param blocking a cached pool, or virtual threads: runs what waits for others, and calls plugins
     * @param timers one thread is enough
     */
    public static OperatorExecutors of(Executor workers, ExecutorService blocking, ScheduledExecutorService timers) {
        return new OperatorExecutors(workers, blocking, Optional.of(blocking), OperatorTimers.of(timers));
    }
}
