package dev.sro.testkit.scale;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.DeadlineGuard;
import dev.sro.testkit.operator.JealousPlugin;
import dev.sro.testkit.operator.KmodPlugin;
import dev.sro.testkit.upgrade.GpuPlugin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The plugins of a long day, one of which hangs when it is told to. */
final class LongDayPlugins implements AutoCloseable {

    /** In real time: what a call takes that does not hang, many times over. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** In real time, while the plugin hangs. */
    private static final Duration SHORT = Duration.ofMillis(50);

    private static final int THREADS_PER_PLUGIN = 4;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile @Nullable CountDownLatch hangs;

    Plugins all() {
        return Plugins.of(
                new KmodPlugin(),
                new GpuPlugin(
                        "gpu",
                        UpgradeStrategy.builder()
                                .validateBefore(List.of("2000-validation"))
                                .build()),
                new GpuPlugin("guest", UpgradeStrategy.builder().build()),
                new Hanging());
    }

    /** The guard of all operators: hung calls of former ones keep their threads. */
    Guard guard() {
        return new Guard();
    }

    /** Calls of one plugin do not return from now on, whatever interrupts them. */
    void hang() {
        hangs = new CountDownLatch(1);
    }

    /** Those that hang return. */
    void goOn() {
        CountDownLatch latch = hangs;
        hangs = null;
        if (latch != null) {
            latch.countDown();
        }
    }

    @Override
    public void close() {
        goOn();
        threads.shutdownNow();
    }

    /** Waits for plugins that do not hang, and hardly for the one that does. */
    final class Guard implements dev.sro.core.recipe.PluginGuard {

        private final DeadlineGuard patient = new DeadlineGuard(threads, DEADLINE, THREADS_PER_PLUGIN);
        private final DeadlineGuard impatient = new DeadlineGuard(threads, SHORT, THREADS_PER_PLUGIN);

        @Override
        public <T> T call(String plugin, ClassLoader loader, String what, java.util.function.Supplier<T> call) {
            boolean waits = !plugin.equals(Hanging.NAME) || hangs == null;
            return (waits ? patient : impatient).call(plugin, loader, what, call);
        }
    }

    private final class Hanging implements AcceleratorPlugin {

        static final String NAME = "hangs";

        private final JealousPlugin other = new JealousPlugin(NAME);

        @Override
        public PluginDescriptor descriptor() {
            return other.descriptor();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            CountDownLatch latch = hangs;
            while (latch != null && latch.getCount() > 0) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    // It does not listen.
                }
            }
            return other.states(context);
        }
    }
}
