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
import java.util.function.Supplier;

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
    private final PluginGuard direct = PluginGuard.direct();

    /**
     * @param executor runs the calls; must start a thread for each (a cached pool, or virtual threads), and belongs to
     *     the caller
     * @param deadline how long a call may take
     * @param threadsPerPlugin how many calls of one plugin may be running, hung ones included
     */
    public DeadlineGuard(ExecutorService executor, Duration deadline, int threadsPerPlugin) {
        this.executor = executor;
        this.deadline = deadline;
        this.threadsPerPlugin = threadsPerPlugin;
    }

    @Override
    public <T> T call(String plugin, ClassLoader loader, String what, Supplier<T> call) {
        Semaphore share = shares.computeIfAbsent(plugin, name -> new Semaphore(threadsPerPlugin));
        if (!share.tryAcquire()) {
            throw timeout(plugin, what, " was not called: " + threadsPerPlugin + " earlier calls have not returned");
        }
        AtomicBoolean begun = new AtomicBoolean();
        Future<T> future = submit(plugin, loader, what, call, share, begun);
        try {
            return future.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            cancel(future, share, begun);
            throw timeout(plugin, what, " did not return within " + deadline.toMillis() + " ms");
        } catch (InterruptedException e) {
            cancel(future, share, begun);
            Thread.currentThread().interrupt();
            throw timeout(plugin, what, " was interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RecipeFailure failure) {
                throw failure;
            }
            throw new RecipeFailure(DirectGuard.problem(plugin, what, e.getCause()), e);
        }
    }

    private <T> Future<T> submit(
            String plugin, ClassLoader loader, String what, Supplier<T> call, Semaphore share, AtomicBoolean begun) {
        try {
            return executor.submit(() -> {
                if (!begun.compareAndSet(false, true)) {
                    throw new CancellationException();
                }
                try {
                    return direct.call(plugin, loader, what, call);
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
