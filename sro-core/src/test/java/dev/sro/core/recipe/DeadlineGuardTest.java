package dev.sro.core.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.InvalidRecipeException;
import dev.sro.core.plugin.PluginRejection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlineGuardTest {

    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void letHungCallsGo() {
        end.countDown();
        threads.shutdownNow();
    }

    private static <T> T call(PluginGuard guard, String plugin, Supplier<T> call) {
        return guard.call(plugin, DeadlineGuardTest.class.getClassLoader(), "states", call);
    }

    private String hang() {
        boolean interrupted = true;
        while (interrupted) {
            try {
                end.await();
                interrupted = false;
            } catch (InterruptedException e) {
                // A plugin that does not listen is the point.
                interrupted = true;
            }
        }
        return "late";
    }

    @Test
    void returnsWhatThePluginReturns() {
        assertThat(call(new DeadlineGuard(threads, LONG, 1), "a", () -> "yes")).isEqualTo("yes");
    }

    @Test
    void aHungCallFailsItsOwnPluginUntilItComesBackAndNoOther() throws InterruptedException {
        DeadlineGuard guard = new DeadlineGuard(threads, SHORT, 1);
        CountDownLatch back = new CountDownLatch(1);
        assertThatThrownBy(() -> call(guard, "hung", () -> {
                    String late = hang();
                    back.countDown();
                    return late;
                }))
                .isInstanceOfSatisfying(
                        RecipeFailure.class, e -> assertThat(e.problem().code()).isEqualTo("PluginTimeout"))
                .hasMessageContaining("hung")
                .hasMessageContaining("20 ms");
        assertThatThrownBy(() -> call(guard, "hung", () -> "x")).hasMessageContaining("was not called");
        assertThat(call(new DeadlineGuard(threads, LONG, 1), "other", () -> "x"))
                .isEqualTo("x");
        end.countDown();
        assertThat(back.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void callsThatNeverBeganKeepNoShare() {
        Stuck executor = new Stuck();
        DeadlineGuard guard = new DeadlineGuard(executor, SHORT, 1);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> call(guard, "a", () -> "x")).hasMessageContaining("did not return within");
        }
        // Those that come to run after all neither call the plugin nor give a share back twice.
        executor.runAll();
        assertThatThrownBy(() -> call(guard, "a", () -> "x")).hasMessageContaining("did not return within");
    }

    @Test
    void aCallThatIsRefusedAThreadKeepsNoShare() {
        threads.shutdownNow();
        DeadlineGuard guard = new DeadlineGuard(threads, LONG, 1);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> call(guard, "a", () -> "x"))
                    .isInstanceOf(RecipeFailure.class)
                    .hasCauseInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void whatIsThrownBecomesAProblemAndTheShareComesBack() {
        DeadlineGuard guard = new DeadlineGuard(threads, LONG, 1);
        assertThat(code(guard, () -> {
                    throw new IllegalStateException("boom");
                }))
                .isEqualTo("PluginError");
        assertThat(code(guard, () -> {
                    throw new NoClassDefFoundError("x/Y");
                }))
                .isEqualTo("PluginError");
        assertThat(code(guard, () -> {
                    throw new AssertionError("boom");
                }))
                .isEqualTo("PluginError");
        assertThat(code(guard, () -> {
                    throw new InvalidRecipeException("spec.set.kmodNames is empty");
                }))
                .isEqualTo("InvalidRecipe");
        assertThat(call(guard, "a", () -> "still works")).isEqualTo("still works");
    }

    @Test
    void theStackOfWhatWasThrownIsLoggedOnceForEachCause() {
        List<Throwable> logged = new ArrayList<>();
        PluginFailures failures = new PluginFailures((text, thrown) -> logged.add(thrown));
        for (PluginGuard guard : List.of(new DeadlineGuard(threads, LONG, 1, failures), new DirectGuard(failures))) {
            for (int i = 0; i < 3; i++) {
                assertThat(code(guard, DeadlineGuardTest::broken)).isEqualTo("PluginError");
            }
        }
        assertThat(code(new DirectGuard(failures), () -> thrown(new NoClassDefFoundError("x/Y"))))
                .isEqualTo("PluginError");

        assertThat(logged).hasSize(2);
        assertThat(logged.get(0).getStackTrace()[0].getMethodName()).isEqualTo("broken");
    }

    @Test
    void aHangIsLoggedOnceWithWhereItHangs() {
        List<Throwable> logged = new ArrayList<>();
        DeadlineGuard guard =
                new DeadlineGuard(threads, SHORT, 3, new PluginFailures((text, thrown) -> logged.add(thrown)));
        for (int i = 0; i < 3; i++) {
            assertThat(code(guard, this::hang)).isEqualTo("PluginTimeout");
        }

        assertThat(logged)
                .singleElement()
                .satisfies(where -> assertThat(where.getStackTrace())
                        .extracting(StackTraceElement::getMethodName)
                        .contains("hang"));
    }

    private static String broken() {
        throw new IllegalStateException("boom");
    }

    @Test
    void codeThatIsMissingHasTheFixThatItHasWhenAPluginIsLoaded() {
        assertThatThrownBy(() -> call(PluginGuard.direct(), "a", () -> {
                    throw new NoClassDefFoundError("com/acme/Device");
                }))
                .hasMessageContaining(PluginRejection.CLASS_MISSING_FIX);
    }

    @Test
    void whoReadsTheProblemKnowsNoJava() {
        for (Throwable thrown : List.of(
                new IllegalStateException("the list of devices is empty"),
                new NullPointerException(),
                new NoClassDefFoundError("com/acme/Device"),
                new StackOverflowError())) {
            for (PluginGuard guard : List.of(new DeadlineGuard(threads, LONG, 1), PluginGuard.direct())) {
                assertThatThrownBy(() -> call(guard, "a", () -> thrown(thrown)))
                        .isInstanceOfSatisfying(
                                RecipeFailure.class,
                                failure -> assertThat(failure.problem().message())
                                        .startsWith("plugin ")
                                        .contains("the log of the operator")
                                        .doesNotContain("java.", "Exception", "Error:", "com/acme"));
            }
        }
    }

    private static String thrown(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) thrown;
    }

    @Test
    void runsWithTheClassLoaderOfThePluginAndPutsTheOldOneBack() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader own = new ClassLoader(before) {};
        ClassLoader seen = PluginGuard.direct()
                .call(
                        "a",
                        own,
                        "states",
                        () -> Objects.requireNonNull(Thread.currentThread().getContextClassLoader()));
        assertThat(seen).isSameAs(own);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }

    private static String code(PluginGuard guard, Supplier<String> call) {
        try {
            return call(guard, "a", call);
        } catch (RecipeFailure e) {
            return e.problem().code();
        }
    }

    /** Takes everything and runs nothing by itself. */
    private static final class Stuck extends AbstractExecutorService {
        private final Queue<Runnable> queue = new ArrayDeque<>();

        void runAll() {
            while (!queue.isEmpty()) {
                queue.remove().run();
            }
        }

        @Override
        public void execute(Runnable command) {
            queue.add(command);
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
