package dev.sro.testkit;

import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets controllers and timers do their work until there is none. */
final class WorkLoop {
    private static final Logger LOG = LoggerFactory.getLogger(WorkLoop.class);
    private static final int MAX_ROUNDS = 1_000_000;

    private final VirtualClock clock;
    private final List<Controller> controllers;
    private final Delivery delivery;
    private final ReentrantLock working = new ReentrantLock();
    private final ReentrantLock signal = new ReentrantLock();
    private final Condition changed = signal.newCondition();
    private boolean pending = true;
    private boolean closed;
    private @Nullable Thread thread;

    WorkLoop(VirtualClock clock, List<Controller> controllers, Delivery delivery) {
        this.clock = clock;
        this.controllers = List.copyOf(controllers);
        this.delivery = delivery;
    }

    /** Works until nothing is left. A call from inside of the work (a timer, an event handler) returns at once. */
    void settle() {
        if (working.isHeldByCurrentThread()) {
            return;
        }
        working.lock();
        try {
            int rounds = 0;
            while (round()) {
                if (++rounds > MAX_ROUNDS) {
                    throw new IllegalStateException("the cluster does not come to rest");
                }
            }
        } finally {
            working.unlock();
        }
    }

    private boolean round() {
        boolean any = clock.runDue();
        for (Controller controller : controllers) {
            any |= controller.work();
        }
        any |= delivery.drain();
        return any;
    }

    /** Works on a thread of its own from now on, whenever an object changes or a timer falls due. */
    void start(ApiServer server) {
        server.api().subscribe(null, change -> wake());
        clock.onSchedule(this::wake);
        Thread t = new Thread(this::run, "embedded-cluster");
        t.setDaemon(true);
        thread = t;
        t.start();
    }

    private void wake() {
        signal.lock();
        try {
            pending = true;
            changed.signalAll();
        } finally {
            signal.unlock();
        }
    }

    private void run() {
        while (await()) {
            try {
                settle();
            } catch (RuntimeException e) {
                LOG.error("a controller of the embedded cluster failed", e);
            }
        }
    }

    /** Waits for work; false if the cluster is closed. */
    private boolean await() {
        signal.lock();
        try {
            while (!pending && !closed) {
                Instant due = clock.nextDue().orElse(null);
                if (due == null) {
                    changed.await();
                    continue;
                }
                long millis = Duration.between(clock.instant(), due).toMillis();
                if (millis <= 0 || !changed.await(millis, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
            pending = false;
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            signal.unlock();
        }
    }

    void close() {
        signal.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            signal.unlock();
        }
        Thread t = thread;
        if (t != null && t != Thread.currentThread()) {
            try {
                t.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
