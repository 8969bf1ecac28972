package dev.sro.core.recipe;

import dev.sro.api.Problem;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls plugins on an executor and waits for each call no longer than the deadline. A plugin that hangs keeps its
 * threads, so each has a share of them; when the share is used up, further calls to that plugin fail at once until one
 * comes back. Thread-safe.
 */
public final class DeadlineGuard implements PluginGuard {

    private final ExecutorService executor;
    private final Duration deadline;
    private final int threadsPerPlugin;
    private final ConcurrentHashMap<String, Semaphore> shares = new ConcurrentHashMap<>();
    private final PluginFailures failures;
    private final DirectGuard direct;

    /**
     * @param executor runs the calls; must start a thread for each (a cached pool, or virtual threads), and belongs to
     *     the caller
     * @param deadline how long a call may take
     * @param threadsPerPlugin how many calls of one plugin may be running, hung ones included
     */
    public DeadlineGuard(ExecutorService executor, Duration deadline, int threadsPerPlugin) {
        this(executor, deadline, threadsPerPlugin, new PluginFailures());
    }

    DeadlineGuard(ExecutorService executor, Duration deadline, int threadsPerPlugin, PluginFailures failures) {
        this.executor = executor;
        this.deadline = deadline;
        this.threadsPerPlugin = threadsPerPlugin;
        this.failures = failures;
        this.direct = new DirectGuard(failures);
    }

    @Override
    public <T> T call(String plugin, ClassLoader loader, String what, Supplier<T> call) {
        Semaphore share = shares.computeIfAbsent(plugin, name -> new Semaphore(threadsPerPlugin));
        if (!share.tryAcquire()) {
            throw timeout(plugin, what, " was not called: " + threadsPerPlugin + " earlier calls have not returned");
        }
        AtomicBoolean begun = new AtomicBoolean();
        AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
        Future<T> future = submit(plugin, share, begun, () -> {
            thread.set(Thread.currentThread());
            try {
                return direct.call(plugin, loader, what, call);
            } finally {
                thread.set(null);
            }
        });
        try {
            return future.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            Thread hanging = thread.get();
            StackTraceElement[] at = hanging == null ? new StackTraceElement[0] : hanging.getStackTrace();
            cancel(future, share, begun);
            failures.hangs(plugin, loader, what, at);
            throw timeout(
                    plugin,
                    what,
                    " did not return within " + deadline.toMillis()
                            + " ms; the log of the operator says where it hangs, which its vendor needs");
        } catch (InterruptedException e) {
            cancel(future, share, begun);
            Thread.currentThread().interrupt();
            throw timeout(plugin, what, " was interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RecipeFailure failure) {
                throw failure;
            }
            throw new RecipeFailure(direct.problem(plugin, loader, what, e.getCause()), e);
        }
    }

    private <T> Future<T> submit(String plugin, Semaphore share, AtomicBoolean begun, Supplier<T> call) {
        try {
            return executor.submit(() -> {
                if (!begun.compareAndSet(false, true)) {
                    throw new CancellationException();
                }
                try {
                    return call.get();
                } finally {
                    share.release();
                }
            });
        } catch (RuntimeException e) {
            share.release();
            throw new RecipeFailure(
                    Problem.platform("PluginError", "plugin " + plugin + " cannot be called: " + e.getMessage()), e);
        }
    }

    /** A call that never began will not give its share back, so this does. */
    private static void cancel(Future<?> future, Semaphore share, AtomicBoolean begun) {
        future.cancel(true);
        if (begun.compareAndSet(false, true)) {
            share.release();
        }
    }

    private static RecipeFailure timeout(String plugin, String what, String how) {
        return new RecipeFailure(Problem.vendor("PluginTimeout", "plugin " + plugin + ": " + what + how));
    }
}
