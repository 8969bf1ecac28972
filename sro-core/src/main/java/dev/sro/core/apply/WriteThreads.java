package dev.sro.core.apply;

import java.util.concurrent.Executor;

/**
 * Threads for writes that do not depend on each other: those to different nodes above all. Whoever makes writes does so on its own
 * thread as well, and waits for nothing that the executor has not begun: one that is busy, refuses work or is shut down makes writes
 * slower and keeps none from being made. Immutable.
 *
 * @param executor runs writes, which block; not shut down
 * @param atOnce writes at the same time for one special resource, the one on its worker's own thread included; at least 1
 */
public record WriteThreads(Executor executor, int atOnce) {

    /** One write after the other, on the thread of whoever makes them. */
    public static final WriteThreads NONE = new WriteThreads(Runnable::run, 1);

    /** Checks the number. */
    public WriteThreads {
        if (atOnce < 1) {
            throw new IllegalArgumentException("atOnce " + atOnce + " must be at least 1");
        }
    }
}
