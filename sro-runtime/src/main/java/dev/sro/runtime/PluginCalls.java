package dev.sro.runtime;

import dev.sro.core.recipe.DeadlineGuard;
import dev.sro.core.recipe.PluginGuard;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Calls plugins as the operator does: on threads of their own, and no longer than the deadline. Thread-safe. */
public final class PluginCalls implements AutoCloseable {

    /** As the operator has it: one that hangs keeps no more threads than these. */
    private static final int PER_PLUGIN = 4;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        // A plugin that hangs does not keep the process.
        Thread thread = new Thread(task, "sro-plugin");
        thread.setDaemon(true);
        return thread;
    });
    private final PluginGuard guard;

    PluginCalls(Duration deadline) {
        this.guard = new DeadlineGuard(threads, deadline, PER_PLUGIN);
    }

    /** How plugins are called. */
    public PluginGuard guard() {
        return guard;
    }

    /** Interrupts what still runs, and waits for none of it. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
