package dev.sro.testkit;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Delivers watch events one after another: on its own thread, or when told to. */
final class Delivery implements Executor {
    /** How fabric8 names the thread on which it waits before it watches or lists again. */
    private static final String CLIENT_TIMER = "CachedSingleThreadScheduler";

    private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final @Nullable ExecutorService thread;
    private final boolean atOnce;
    private final @Nullable RandomDelivery drawn;

    private Delivery(@Nullable ExecutorService thread, boolean atOnce, @Nullable RandomDelivery drawn) {
        this.thread = thread;
        this.atOnce = atOnce;
        this.drawn = drawn;
    }

    static Delivery stepped(boolean atOnce) {
        return new Delivery(null, atOnce, null);
    }

    static Delivery random(RandomDelivery drawn) {
        return new Delivery(null, false, drawn);
    }

    static Delivery threaded() {
        return new Delivery(
                Executors.newSingleThreadExecutor(work -> {
                    Thread t = new Thread(work, "embedded-cluster-watches");
                    t.setDaemon(true);
                    return t;
                }),
                false,
                null);
    }

    /** Delivers the events of one watch, in their order. */
    Executor ofOneWatch() {
        return drawn == null ? this : drawn.channel();
    }

    @Override
    public void execute(Runnable work) {
        if (thread == null) {
            queue.add(work);
            return;
        }
        try {
            thread.execute(work);
        } catch (RejectedExecutionException closed) {
            // The cluster is closed; nobody waits for events any more.
            queue.clear();
        }
    }

    /** What a client does at once, it does at once. What it had put off waits like an event, and so for the test's thread. */
    void runForClient(Runnable work) {
        if (Thread.currentThread().getName().startsWith(CLIENT_TIMER)) {
            execute(work);
        } else {
            work.run();
        }
    }

    void afterRequest() {
        if (atOnce) {
            drain();
        } else if (drawn != null && draining.compareAndSet(false, true)) {
            try {
                drawn.beforeAnswer();
            } finally {
                draining.set(false);
            }
        }
    }

    /** Delivers what is waiting, on the caller's thread. Returns whether there was anything. */
    boolean drain() {
        if (thread != null || !draining.compareAndSet(false, true)) {
            return false;
        }
        try {
            boolean any = false;
            Runnable next = queue.poll();
            while (next != null) {
                any = true;
                next.run();
                next = queue.poll();
            }
            return (drawn != null && drawn.deliverDue()) || any;
        } finally {
            draining.set(false);
        }
    }

    void close() {
        if (thread == null) {
            // Watches learn that they are closed; fabric8 keeps those that do not, with all they know, for two minutes.
            if (drawn != null) {
                drawn.hurry();
            }
            drain();
        } else {
            thread.shutdown();
        }
        queue.clear();
    }
}
