package dev.sro.core.client.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.core.fixture.TestClock;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a list that does not come says of its kind. */
class KindWatchTest {

    private final TestClock clock = new TestClock();
    private @Nullable ExceptionHandler failures;
    private int changes;
    private final KindWatch watch = KindWatch.start(
            "v1/ConfigMap",
            this::informer,
            object -> new ConfigMap(),
            new KindWatch.Handlers<>(object -> {}, object -> {}),
            () -> changes++,
            clock);

    /** One whose list never comes. */
    @SuppressWarnings("unchecked")
    private SharedIndexInformer<ConfigMap> informer() {
        return (SharedIndexInformer<ConfigMap>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {SharedIndexInformer.class}, (self, method, arguments) -> {
                    if (method.getName().equals("exceptionHandler")) {
                        failures = (ExceptionHandler) arguments[0];
                    }
                    return method.getName().equals("start") ? new CompletableFuture<>() : self;
                });
    }

    private Optional<Outcome> after(Duration time, int code) {
        clock.advance(time);
        Objects.requireNonNull(failures)
                .retryAfterException(false, new KubernetesClientException("it says " + code, code, null));
        return watch.obstacle(clock.instant());
    }

    /** As a kube-apiserver does while it makes the storage of a kind that was defined just now. */
    @Test
    void aServerThatAsksToBeAskedAgainIsWaitedForHalfAMinute() {
        assertThat(after(Duration.ZERO, 429)).get().isInstanceOf(Outcome.Waiting.class);
        assertThat(after(Duration.ofSeconds(29), 429)).get().isInstanceOf(Outcome.Waiting.class);
        assertThat(changes).isZero();

        assertThat(after(Duration.ofSeconds(1), 429)).get().isInstanceOf(Outcome.Failed.class);
        assertThat(changes).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 500})
    void whatElseItAnswersIsAProblemAtOnce(int code) {
        assertThat(after(Duration.ZERO, code)).get().isInstanceOf(Outcome.Failed.class);
        assertThat(after(Duration.ZERO, 429)).as("it is still one").get().isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void whatFailsAsBeforeIsNoNews() {
        after(Duration.ZERO, 403);
        assertThat(changes).isOne();

        after(Duration.ofMinutes(1), 403);
        assertThat(changes).isOne();

        after(Duration.ofMinutes(1), 500);
        assertThat(changes).isEqualTo(2);
    }
}
