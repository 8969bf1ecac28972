package dev.sro.runtime.scheduler;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that is done soon after it was asked for; several requests until then are one. What it throws is logged. Thread-safe. */
public final class SoonTask {
    private static final Logger LOG = LoggerFactory.getLogger(SoonTask.class);

    private final Executor executor;
    private final String failure;
    private final Runnable work;
    private final AtomicBoolean asked = new AtomicBoolean();

    /**
     * A piece of work that nobody has asked for.
     *
     * @param executor where it runs
     * @param failure what is logged if it throws
     */
    public SoonTask(Executor executor, String failure, Runnable work) {
        this.executor = executor;
        this.failure = failure;
        this.work = work;
    }

    /** Asks for it. */
    public void request() {
        if (!asked.getAndSet(true)) {
            executor.execute(this::run);
        }
    }

    private void run() {
        asked.set(false);
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log(failure);
        }
    }
}
