package dev.sro.core.embed;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** On which threads an operator runs: the application's, or daemon threads of its own, which end with it. Thread-safe. */
final class OperatorThreads {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorThreads.class);

    /**
     * Threads of our own.
     *
     * @param workers reconciles
     * @param writes to different nodes
     * @param calls of plugins
     * @param timers wakes up; null where the application does
     * @param starter begins, which asks the API server: the timers must not wait for it
     * @param election renews the lease, whatever else is going on
     * @param blocking charts, registries, logs
     */
    private record Own(
            ExecutorService workers,
            ExecutorService writes,
            ExecutorService calls,
            @Nullable ScheduledExecutorService timers,
            ExecutorService starter,
            ExecutorService election,
            ExecutorService blocking) {}

    private final OperatorExecutors executors;
    private final Executor writes;
    private final Executor starter;
    private final Executor election;
    private final @Nullable Own own;

    private OperatorThreads(
            OperatorExecutors executors, Executor writes, Executor starter, Executor election, @Nullable Own own) {
        this.executors = executors;
        this.writes = writes;
        this.starter = starter;
        this.election = election;
        this.own = own;
    }

    /** The application's. */
    static OperatorThreads of(OperatorExecutors given) {
        return new OperatorThreads(given, given.blocking(), given.blocking(), given.blocking(), null);
    }

    /**
     * Our own.
     *
     * @param workers how many reconciles at once
     * @param writesAtOnce how many writes at once
     * @param timers the application's; null for our own
     */
    static OperatorThreads own(int workers, int writesAtOnce, @Nullable OperatorTimers timers) {
        ScheduledExecutorService alarm = null;
        OperatorTimers waking = timers;
        if (waking == null) {
            alarm = Executors.newSingleThreadScheduledExecutor(named("timer"));
            waking = OperatorTimers.of(alarm);
        }
        Own own = new Own(
                Executors.newFixedThreadPool(workers, named("worker")),
                Executors.newFixedThreadPool(writesAtOnce, named("write")),
                Executors.newCachedThreadPool(named("plugin")),
                alarm,
                Executors.newSingleThreadExecutor(named("start")),
                Executors.newCachedThreadPool(named("election")),
                Executors.newCachedThreadPool(named("chart")));
        return new OperatorThreads(
                new OperatorExecutors(own.workers, own.blocking, Optional.of(own.calls), waking),
                own.writes,
                own.starter,
                own.election,
                own);
    }

    private static ThreadFactory named(String what) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "sro-" + what + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    OperatorExecutors executors() {
        return executors;
    }

    Executor writes() {
        return writes;
    }

    Executor starter() {
        return starter;
    }

    Executor election() {
        return election;
    }

    /** Waits until no reconcile runs any more, on threads of our own; on others that is the application's business. */
    void drain(Duration limit) {
        if (own == null) {
            return;
        }
        own.workers.shutdown();
        try {
            if (!own.workers.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.atWarn().log("a reconcile still runs after {} s", limit.toSeconds());
                own.workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            own.workers.shutdownNow();
        }
    }

    /** Ends those of our own. */
    void end() {
        if (own == null) {
            return;
        }
        if (own.timers != null) {
            own.timers.shutdownNow();
        }
        own.starter.shutdownNow();
        own.election.shutdownNow();
        own.writes.shutdownNow();
        own.calls.shutdownNow();
        own.blocking.shutdownNow();
    }
}
