package dev.sro.core.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
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

    private final Function<String, Optional<Instant>> reconcile;
    private final Executor workers;
    private final Timers timers;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Phase> phases = new HashMap<>();
    /** How to cancel the wake-up of each special resource that has one. */
    private final Map<String, Runnable> wakeUps = new HashMap<>();

    private boolean closed;

    /**
     * @param engine reconciles
     * @param workers runs reconciles, as many at once as it has threads
     * @param timers wakes up
     * @param clock the engine's clock
     */
    public Controller(Engine engine, Executor workers, Timers timers, Clock clock) {
        this(name -> engine.reconcile(name).wakeUp(), workers, timers, clock);
    }

    /**
     * For something else than special resources.
     *
     * @param reconcile what is done for a name; returns when to do it again although nobody asks
     * @param workers runs it, for as many names at once as it has threads
     */
    public Controller(Function<String, Optional<Instant>> reconcile, Executor workers, Timers timers, Clock clock) {
        this.reconcile = reconcile;
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
        try {
            workers.execute(() -> run(name));
        } catch (RejectedExecutionException e) {
            LOG.atWarn().addKeyValue("specialResource", name).log("no worker takes the reconcile: {}", e.getMessage());
            ended(name, Optional.of(clock.instant().plus(AFTER_ERROR)));
        }
    }

    private void run(String name) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            phases.put(name, Phase.RUNNING);
            Runnable pending = wakeUps.remove(name);
            if (pending != null) {
                pending.run();
            }
        } finally {
            lock.unlock();
        }
        Optional<Instant> wakeUp;
        try {
            wakeUp = reconcile.apply(name);
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
                wakeUp.ifPresent(at -> wakeUps.put(name, schedule(name, at)));
            }
        } finally {
            lock.unlock();
        }
        if (again) {
            request(name);
        }
    }

    private Runnable schedule(String name, Instant at) {
        Duration delay = Duration.between(clock.instant(), at);
        return timers.schedule(delay.isNegative() ? Duration.ZERO : delay, () -> request(name));
    }

    /** Starts no further reconcile; one that is running ends. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            wakeUps.values().forEach(Runnable::run);
            wakeUps.clear();
        } finally {
            lock.unlock();
        }
    }
}
