package dev.sro.core.client;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The informer of one kind, and why it does not see anything, as long as it does not. Thread-safe. */
final class KindWatch implements AutoCloseable {

    private final String kind;
    private final FilledInformer<?> informer;
    private volatile @Nullable Problem problem;

    private <T extends HasMetadata> KindWatch(
            String kind, SharedIndexInformer<T> informer, Consumer<T> seen, Consumer<T> gone, Runnable changed) {
        this.kind = kind;
        this.informer = FilledInformer.start(informer, seen, gone, (running, error) -> {
            problem = problem(kind, error);
            changed.run();
        });
        this.informer.whenFilled(() -> {
            problem = null;
            changed.run();
        });
    }

    /**
     * Starts to watch, without waiting.
     *
     * @param changed called when the cache is filled and when it cannot be
     */
    static <T extends HasMetadata> KindWatch start(
            String kind, SharedIndexInformer<T> informer, Consumer<T> seen, Consumer<T> gone, Runnable changed) {
        return new KindWatch(kind, informer, seen, gone, changed);
    }

    /** Why the kind cannot be seen now; empty when it can. */
    Optional<Outcome> obstacle(Instant now) {
        if (informer.isFilled()) {
            return Optional.empty();
        }
        Problem why = problem;
        return Optional.of(
                why == null
                        ? Outcome.waiting("CacheFilling", now, "the cache of " + kind + " fills")
                        : Outcome.failed(why));
    }

    private static Problem problem(String kind, Throwable error) {
        Throwable cause = error;
        while (cause != null) {
            if (cause instanceof KubernetesClientException e && e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return Problem.platform("Forbidden", "cannot list and watch " + kind + ": " + e.getMessage());
            }
            cause = cause.getCause();
        }
        return Problem.platform("ApiServerUnavailable", "cannot list and watch " + kind + ": " + error.getMessage());
    }

    @Override
    public void close() {
        informer.close();
    }
}
