package dev.sro.core.engine;

import dev.sro.core.engine.port.Timers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles special resources when they may need it: one worker per special resource, never two at once, and any number
 * of requests while one is running or queued become one. A request that comes before a reconcile looks at the caches is answered by
 * it; one that comes later is answered by another one. Whatever asks how often, a special resource is reconciled no more than {@link
 * #BURST} times in a row, and then once in {@link #DISTANCE}. Threads are the caller's. Thread-safe.
 */
public final class Controller implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    /** After a programming error in a reconcile: long enough to read about it, short enough to recover. */
    private static final Duration AFTER_ERROR = Duration.ofSeconds(10);

    /** What a large roll-out takes of reconciles in a moment; only something that never ends takes more. */
    static final int BURST = 100;

    /** Between two reconciles of a special resource that had its burst; as often one reconcile is regained. */
    static final Duration DISTANCE = Duration.ofSeconds(1);

    /** What is done for a name. */
    @FunctionalInterface
    public interface Reconcile {
        /**
         * Reconciles.
         *
         * @param looking to be called before each look at the caches: what was asked for until then needs no further reconcile
         * @return when to do it again although nobody asks
         */
        Optional<Instant> apply(String name, Runnable looking);
    }

    private enum Phase {
        /** Asked for too often: it has to wait for its turn. */
        HELD,
        QUEUED,
        RUNNING,
        RUNNING_AGAIN
    }

    private final Reconcile reconcile;
    private final Executor workers;
    private final Timers timers;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Phase> phases = new HashMap<>();
    /** How to cancel the wake-up of each special resource that has one. */
    private final Map<String, Runnable> wakeUps = new HashMap<>();
    /** How to cancel the wait of each that is held. */
    private final Map<String, Runnable> holds = new HashMap<>();

    private final RateLimiter pace = new RateLimiter(BURST, DISTANCE);

    private boolean closed;

    /**
     * @param engine reconciles
     * @param workers runs reconciles, as many at once as it has threads
     * @param timers wakes up
     * @param clock the engine's clock
     */
    public Controller(Engine engine, Executor workers, Timers timers, Clock clock) {
        this((name, looking) -> engine.reconcile(name, looking).wakeUp(), workers, timers, clock);
    }

    /**
     * For something else than special resources.
     *
     * @param reconcile what is done for a name
     * @param workers runs it, for as many names at once as it has threads
     */
    public Controller(Reconcile reconcile, Executor workers, Timers timers, Clock clock) {
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
            if (closed || phase == Phase.HELD || phase == Phase.QUEUED || phase == Phase.RUNNING_AGAIN) {
                return;
            }
            if (phase == Phase.RUNNING) {
                phases.put(name, Phase.RUNNING_AGAIN);
                return;
            }
            Duration hold = pace.take(name, clock.instant());
            if (!hold.isZero()) {
                phases.put(name, Phase.HELD);
                holds.put(name, timers.schedule(hold, () -> released(name)));
                return;
            }
            phases.put(name, Phase.QUEUED);
        } finally {
            lock.unlock();
        }
        execute(name);
    }

    private void released(String name) {
        lock.lock();
        try {
            holds.remove(name);
            if (closed || phases.get(name) != Phase.HELD) {
                return;
            }
            phases.put(name, Phase.QUEUED);
        } finally {
            lock.unlock();
        }
        execute(name);
    }

    private void execute(String name) {
        try {
            workers.execute(() -> run(name));
        } catch (RejectedExecutionException e) {
            LOG.atWarn().addKeyValue("specialResource", name).log("no worker takes the reconcile: {}", e.getMessage());
            ended(name, Optional.of(clock.instant().plus(AFTER_ERROR)));
        }
    }

    /** What was asked for until now is answered by what is looked at from now on. */
    private void looking(String name) {
        lock.lock();
        try {
            phases.computeIfPresent(name, (unused, phase) -> phase == Phase.RUNNING_AGAIN ? Phase.RUNNING : phase);
        } finally {
            lock.unlock();
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
            wakeUp = reconcile.apply(name, () -> looking(name));
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
            holds.values().forEach(Runnable::run);
            holds.clear();
        } finally {
            lock.unlock();
        }
    }
}
