package dev.sro.agent.node;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The Node as it was last seen, by one watch on this one object. Thread-safe. */
public final class NodeWatch implements NodeSource, AutoCloseable {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final ApiNode node;
    private final ScheduledExecutorService executor;
    private volatile Runnable changed = () -> {};
    private volatile NodeFacts facts = NodeFacts.UNKNOWN;
    private volatile boolean known;
    private Duration wait = FIRST_WAIT;

    /**
     * Nothing is read yet.
     *
     * @param executor of one thread, which waits for the API server most of its time; not closed here
     */
    public NodeWatch(ApiNode node, ScheduledExecutorService executor) {
        this.node = node;
        this.executor = executor;
    }

    /** Begins, and tells when the Node says something new. */
    public void start(Runnable listener) {
        changed = listener;
        schedule(Duration.ZERO);
    }

    @Override
    public NodeFacts node() throws IOException {
        if (!known) {
            facts = node.read();
            known = true;
        }
        return facts;
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
            ApiNode.Read read = node.readVersion();
            seen(read.facts());
            if (read.version().isEmpty()) {
                failed();
                return;
            }
            node.watch(read.version(), this::seen);
            wait = FIRST_WAIT;
            schedule(FIRST_WAIT);
        } catch (IOException | RuntimeException e) {
            // What was seen last holds until something else is seen.
            failed();
        }
    }

    private void failed() {
        schedule(wait);
        wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait.multipliedBy(2);
    }

    private void seen(NodeFacts now) {
        wait = FIRST_WAIT;
        boolean differs = !now.equals(facts);
        facts = now;
        known = true;
        if (differs) {
            changed.run();
        }
    }

    @Override
    public void close() {
        node.cancel();
    }
}
