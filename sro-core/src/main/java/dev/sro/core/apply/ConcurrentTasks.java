package dev.sro.core.apply;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs pieces of work that do not depend on each other: on the caller's thread, and at the same time on those of an executor, as far
 * as it has any free. The caller waits for what others have begun and for nothing else, so that an executor that is busy, refuses, or
 * is the caller's own costs time and never progress. Thread-safe.
 */
final class ConcurrentTasks {

    private final WriteThreads threads;

    ConcurrentTasks(WriteThreads threads) {
        this.threads = threads;
    }

    /** Runs them all, begun in their order. What one throws keeps those that are not begun from it, and is thrown at the end. */
    void run(List<? extends Runnable> pieces) {
        Share share = new Share(pieces);
        int wanted = Math.min(threads.atOnce(), pieces.size());
        try {
            for (int i = 1; i < wanted; i++) {
                threads.executor().execute(share::help);
            }
        } catch (RejectedExecutionException e) {
            // It shuts down, or is full: those that it took, and the caller, do all of it.
        }
        share.help();
        share.await();
    }

    /** What is left of one call. */
    private static final class Share {
        private final List<? extends Runnable> pieces;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition idle = lock.newCondition();
        private int next;
        private int running;
        private @Nullable Throwable thrown;

        Share(List<? extends Runnable> pieces) {
            this.pieces = pieces;
        }

        void help() {
            for (Runnable piece = take(); piece != null; piece = take()) {
                Throwable wrong = null;
                try {
                    piece.run();
                } catch (RuntimeException | Error e) {
                    wrong = e;
                } finally {
                    ended(wrong);
                }
            }
        }

        private @Nullable Runnable take() {
            lock.lock();
            try {
                if (thrown != null || next == pieces.size()) {
                    return null;
                }
                running++;
                return pieces.get(next++);
            } finally {
                lock.unlock();
            }
        }

        private void ended(@Nullable Throwable wrong) {
            lock.lock();
            try {
                running--;
                Throwable first = thrown;
                if (first == null) {
                    thrown = wrong;
                } else if (wrong != null && first != wrong) {
                    first.addSuppressed(wrong);
                }
                idle.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void await() {
            lock.lock();
            try {
                while (running > 0) {
                    // A write that was begun ends within the client's timeout, and what became of it has to be known.
                    idle.awaitUninterruptibly();
                }
                if (thrown instanceof Error error) {
                    throw error;
                }
                if (thrown instanceof RuntimeException exception) {
                    throw exception;
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
