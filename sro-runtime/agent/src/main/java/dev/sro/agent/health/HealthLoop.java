package dev.sro.agent.health;

import dev.sro.agent.device.DeviceException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Waits for reports of drivers, and asks again and again after GPUs that are ill, as long as its executor lives. Thread-safe. */
public final class HealthLoop {
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    private final HealthKeeper health;
    private final ScheduledExecutorService executor;
    private final Runnable before;
    private final Runnable changed;
    private final Consumer<String> log;
    private final Set<String> said = new HashSet<>();

    /**
     * Does nothing yet.
     *
     * @param executor of one thread, which waits for the driver most of its time; not closed here
     * @param before called before each wait
     * @param changed told when a GPU is ill or well that was not
     */
    public HealthLoop(
            HealthKeeper health,
            ScheduledExecutorService executor,
            Runnable before,
            Runnable changed,
            Consumer<String> log) {
        this.health = health;
        this.executor = executor;
        this.before = before;
        this.changed = changed;
        this.log = log;
    }

    /** Begins. */
    public void start() {
        schedule(Duration.ZERO);
    }

    private void schedule(Duration in) {
        try {
            Future<?> unused = executor.schedule(this::run, in.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The agent ends.
        }
    }

    private void run() {
        try {
            before.run();
            boolean ill = health.askAll();
            boolean well = !health.recheck().isEmpty();
            if (ill || well) {
                changed.run();
            }
            if (health.await(WAIT)) {
                changed.run();
            }
            schedule(Duration.ZERO);
        } catch (DeviceException e) {
            if (said.add(String.valueOf(e.getMessage()))) {
                log.accept("not told of errors of GPUs: " + e.getMessage());
            }
            schedule(AFTER_FAILURE);
        } catch (RuntimeException e) {
            log.accept("not told of errors of GPUs: " + e);
            schedule(AFTER_FAILURE);
        }
    }
}
