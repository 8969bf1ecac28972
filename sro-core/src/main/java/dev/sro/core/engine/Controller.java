package dev.sro.core.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles special resources when they may need it: one worker per special resource, never two at once, and any number
 * of requests while one is running or queued become one. Threads are the caller's. Thread-safe.
 */
public final class Controller implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    /** After a programming error in a reconcile: long enough to read about it, short enough to recover. */
    private static final Duration AFTER_ERROR = Duration.ofSeconds(10);

    private enum Phase {
        QUEUED,
        RUNNING,
        RUNNING_AGAIN
    }

    private record Timer(Instant at, ScheduledFuture<?> future) {}

    private final Engine engine;
    private final Executor workers;
    private final ScheduledExecutorService timers;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Phase> phases = new HashMap<>();
    private final Map<String, Timer> wakeUps = new HashMap<>();
    private boolean closed;

    /**
     * @param engine reconciles
     * @param workers runs reconciles, as many at once as it has threads
     * @param timers wakes up; needs one thread
     * @param clock the engine's clock
     */
    public Controller(Engine engine, Executor workers, ScheduledExecutorService timers, Clock clock) {
        this.engine = engine;
        this.workers = workers;
        this.timers = timers;
        this.clock = clock;
    }

    /** Asks for a reconcile of this special resource. */
    public void request(String name) {
        lock.lock();
        try {
            Phase phase = phases.get(name);
            if (closed || phase == Phase.QUEUED || phase == Phase.RUNNING_AGAIN) {
                return;
            }
            if (phase == Phase.RUNNING) {
                phases.put(name, Phase.RUNNING_AGAIN);
                return;
            }
            phases.put(name, Phase.QUEUED);
        } finally {
            lock.unlock();
        }
        workers.execute(() -> run(name));
    }

    private void run(String name) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            phases.put(name, Phase.RUNNING);
            cancel(wakeUps.remove(name));
        } finally {
            lock.unlock();
        }
        Optional<Instant> wakeUp;
        try {
            wakeUp = engine.reconcile(name).wakeUp();
        } catch (RuntimeException | Error e) {
            LOG.atError().addKeyValue("specialResource", name).setCause(e).log("reconcile failed");
            wakeUp = Optional.of(clock.instant().plus(AFTER_ERROR));
        }
        ended(name, wakeUp);
    }

    private void ended(String name, Optional<Instant> wakeUp) {
        boolean again;
        lock.lock();
        try {
            again = phases.remove(name) == Phase.RUNNING_AGAIN;
            if (!again && !closed) {
                wakeUp.ifPresent(at -> wakeUps.put(name, new Timer(at, schedule(name, at))));
            }
        } finally {
            lock.unlock();
        }
        if (again) {
            request(name);
        }
    }

    private ScheduledFuture<?> schedule(String name, Instant at) {
        long millis = Math.max(1, Duration.between(clock.instant(), at).toMillis());
        return timers.schedule(() -> request(name), millis, TimeUnit.MILLISECONDS);
    }

    private static void cancel(@Nullable Timer timer) {
        if (timer != null) {
            timer.future.cancel(false);
        }
    }

    /** Starts no further reconcile; one that is running ends. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            wakeUps.values().forEach(Controller::cancel);
            wakeUps.clear();
        } finally {
            lock.unlock();
        }
    }
}
