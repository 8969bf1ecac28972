package dev.sro.core.plugin;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a plugin's own code while it is loaded or stopped: on another thread, with a deadline, and with the plugin's
 * class loader as the context class loader, as every later call into it has. Thread-safe.
 */
final class GuardedCalls {

    /** One daemon thread per call. It inherits no thread-locals, so it keeps nothing of the caller alive. */
    static final Executor DAEMON_THREADS = task -> {
        Thread thread = new Thread(null, task, "sro-plugin-loader", 0, false);
        thread.setDaemon(true);
        thread.start();
    };

    private final Executor executor;
    private final Duration deadline;

    GuardedCalls(Executor executor, Duration deadline) {
        this.executor = executor;
        this.deadline = deadline;
    }

    /**
     * Runs the body and waits for it.
     *
     * @param what the call, for messages, for example "the constructor of a.B"
     * @throws CallFailedException when the body throws or does not return in time
     */
    <T> T call(String what, ClassLoader contextLoader, Callable<T> body) throws CallFailedException {
        FutureTask<T> task = new FutureTask<>(() -> {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(contextLoader);
            try {
                return body.call();
            } finally {
                thread.setContextClassLoader(before);
            }
        });
        try {
            executor.execute(task);
            return await(task);
        } catch (TimeoutException late) {
            task.cancel(true);
            throw new CallFailedException(
                    what, PluginRejectionCodes.TIMED_OUT, "did not return within " + seconds(deadline));
        } catch (ExecutionException failed) {
            Throwable cause = Throwables.unwrap(failed);
            String code = cause instanceof LinkageError || cause instanceof ClassNotFoundException
                    ? PluginRejectionCodes.CLASS_MISSING
                    : PluginRejectionCodes.FAILED;
            throw new CallFailedException(what, code, "threw " + Throwables.describe(cause));
        } catch (RejectedExecutionException refused) {
            throw new CallFailedException(
                    what, PluginRejectionCodes.FAILED, "could not be run: the executor refused it");
        }
    }

    /** Waits although interrupted, because the deadline bounds the wait; the interrupt is kept for the caller. */
    private <T> T await(Future<T> task) throws ExecutionException, TimeoutException {
        boolean interrupted = false;
        long end = System.nanoTime() + deadline.toNanos();
        try {
            while (true) {
                try {
                    return task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() / 1000.0 + " s";
    }
}
