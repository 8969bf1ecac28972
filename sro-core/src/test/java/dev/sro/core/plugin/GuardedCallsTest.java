package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class GuardedCallsTest {

    private static final ClassLoader LOADER = new ClassLoader() {};

    private static CallFailedException failure(GuardedCalls calls, Callable<?> body) {
        return catchThrowableOfType(CallFailedException.class, () -> calls.call("the call", LOADER, body));
    }

    private static GuardedCalls calls(Executor executor) {
        return new GuardedCalls(executor, Duration.ofMinutes(1));
    }

    @Test
    void givesUpOnACallThatDoesNotReturn() {
        GuardedCalls neverRuns = new GuardedCalls(task -> {}, Duration.ofMillis(1));

        CallFailedException failure = failure(neverRuns, () -> "");

        assertThat(failure.code()).isEqualTo(PluginRejectionCodes.TIMED_OUT);
        assertThat(failure.reason()).isEqualTo("the call did not return within 0.001 s");
    }

    @Test
    void reportsAnExecutorThatRefuses() {
        CallFailedException failure = failure(
                calls(task -> {
                    throw new RejectedExecutionException();
                }),
                () -> "");

        assertThat(failure.reason()).contains("refused");
    }

    @Test
    void keepsNoExceptionOfThePlugin() {
        CallFailedException failure = failure(calls(GuardedCalls.DAEMON_THREADS), () -> {
            throw new IllegalStateException("boom", new java.io.IOException("deep"));
        });

        assertThat(failure).hasNoCause();
        assertThat(failure.reason()).contains("boom").contains("deep");
    }

    @Test
    void finishesAnInterruptedWaitAndKeepsTheInterrupt() throws CallFailedException {
        Thread.currentThread().interrupt();
        try {
            String result = calls(GuardedCalls.DAEMON_THREADS).call("the call", LOADER, () -> "done");
            assertThat(result).isEqualTo("done");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void lendsTheContextClassLoaderForTheCallOnly() throws CallFailedException {
        ClassLoader before = Thread.currentThread().getContextClassLoader();

        ClassLoader seen = calls(Runnable::run)
                .call("the call", LOADER, () -> Thread.currentThread().getContextClassLoader());

        assertThat(seen).isSameAs(LOADER);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }
}
