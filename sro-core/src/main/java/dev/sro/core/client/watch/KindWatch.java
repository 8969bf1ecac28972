package dev.sro.core.client.watch;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.Code;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The informer of one kind, and why it does not see anything, as long as it does not. Thread-safe. */
public final class KindWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KindWatch.class);

    /** A cache that cannot be kept up for so long is not planned on any more; an API server restarts in less. */
    private static final Duration GRACE = Duration.ofMinutes(2);

    /** For how long "come again later" is no failure; a kind that is defined just now is said to be initialized for a second or two. */
    private static final Duration BUSY = Duration.ofSeconds(30);

    private static final int TOO_MANY_REQUESTS = 429;

    /** Objects per request of a list, so that no answer of a large cluster has to be in memory whole; client-go's number. */
    public static final long PAGE = 500;

    /**
     * What a kind is worth to the caches.
     *
     * @param listed told the resourceVersion of each list, after everything in it
     */
    public record Handlers<T>(Consumer<T> seen, Consumer<T> gone, Consumer<String> listed) {

        /** Of objects that no write of ours makes. */
        public Handlers(Consumer<T> seen, Consumer<T> gone) {
            this(seen, gone, version -> {});
        }
    }

    /** Why it fails, and since when. */
    private record Failure(Instant since, Problem problem) {}

    private final String kind;
    private final Clock clock;
    private final Runnable changed;
    private final FilledInformer<?> informer;
    private volatile @Nullable Failure failure;
    private volatile boolean obstructed;
    /** Since when there is a list and no watch. */
    private volatile @Nullable Instant deafSince;

    /** Since when the API server has no time for this. */
    private volatile @Nullable Instant busySince;

    private <T extends HasMetadata> KindWatch(
            String kind,
            Supplier<SharedIndexInformer<T>> informers,
            Function<T, T> empty,
            Handlers<T> handlers,
            Runnable changed,
            Clock clock) {
        this.kind = kind;
        this.clock = clock;
        this.changed = changed;
        this.informer = new FilledInformer<>(informers, empty, new Listener<>(handlers), clock, EndOfList.isTold());
    }

    private final class Listener<T> implements FilledInformer.Listener<T> {
        private final Handlers<T> handlers;

        Listener(Handlers<T> handlers) {
            this.handlers = handlers;
        }

        @Override
        public void seen(T object) {
            failure = null;
            handlers.seen.accept(object);
        }

        @Override
        public void gone(T object) {
            failure = null;
            handlers.gone.accept(object);
        }

        @Override
        public void listed(String resourceVersion) {
            failure = null;
            busySince = null;
            obstructed = false;
            handlers.listed.accept(resourceVersion);
            changed.run();
        }

        @Override
        public void failed(Throwable error) {
            KindWatch.this.failed(error);
        }
    }

    /**
     * Starts to watch, without waiting.
     *
     * @param informers makes one that is not started
     * @param empty an object of the same kind without content
     * @param changed called when the cache is filled, when it cannot be, and when it cannot be kept up
     */
    public static <T extends HasMetadata> KindWatch start(
            String kind,
            Supplier<SharedIndexInformer<T>> informers,
            Function<T, T> empty,
            Handlers<T> handlers,
            Runnable changed,
            Clock clock) {
        KindWatch watch = new KindWatch(kind, informers, empty, handlers, changed, clock);
        watch.informer.start();
        return watch;
    }

    private void failed(Throwable error) {
        Failure before = failure;
        if (before == null && isPutOff(error)) {
            return;
        }
        Problem problem = problem(kind, error);
        boolean news = before == null || !before.problem.code().equals(problem.code());
        if (news) {
            LOG.atWarn().log("{}", problem.message());
        }
        Instant deaf = deafSince;
        Instant since = deaf == null ? clock.instant() : deaf;
        failure = new Failure(before == null ? since : before.since, problem);
        // It is tried again and again: that it fails as before is nothing that anybody has to look at.
        if (news && !informer.isFilled()) {
            changed.run();
        }
    }

    private boolean isPutOff(Throwable error) {
        Throwable cause = error;
        while (cause != null && !(cause instanceof KubernetesClientException)) {
            cause = cause.getCause();
        }
        if (!(cause instanceof KubernetesClientException answer) || answer.getCode() != TOO_MANY_REQUESTS) {
            busySince = null;
            return false;
        }
        Instant now = clock.instant();
        Instant since = busySince == null ? now : busySince;
        busySince = since;
        LOG.atDebug().log("{} is asked for again: {}", kind, answer.getMessage());
        return since.plus(BUSY).isAfter(now);
    }

    /** {@code group/version/Kind}. */
    public String kind() {
        return kind;
    }

    /** Why the kind cannot be seen now; empty when it can. */
    public Optional<Outcome> obstacle(Instant now) {
        Failure why = failure;
        if (informer.isFilled()) {
            return why == null || why.since.plus(GRACE).isAfter(now)
                    ? Optional.empty()
                    : Optional.of(Outcome.failed(why.problem));
        }
        return Optional.of(
                why == null
                        ? Outcome.waiting("CacheFilling", now, "the cache of " + kind + " fills")
                        : Outcome.failed(why.problem));
    }

    /**
     * Looks whether the watch is alive: lists anew after a silence, and says so when the cache has not been kept up for too
     * long.
     *
     * @param silence after which to list anew
     */
    public void check(Duration silence) {
        Instant now = clock.instant();
        if (informer.isFilled()) {
            Instant deaf = informer.isWatching() ? null : deafSince == null ? now : deafSince;
            deafSince = deaf;
            if (deaf != null && !deaf.plus(GRACE).isAfter(now) && failure == null) {
                // A list says what is wrong, where there is anything wrong.
                informer.relist();
            } else if (informer.lastSign().plus(silence).isBefore(now)) {
                LOG.atDebug().log("nothing was heard of {} since {}; listing anew", kind, informer.lastSign());
                informer.relist();
            }
        }
        boolean isObstructed = obstacle(now).isPresent();
        if (isObstructed != obstructed) {
            obstructed = isObstructed;
            changed.run();
        }
    }

    private static Problem problem(String kind, Throwable error) {
        String cannot = "cannot list and watch " + kind + ": ";
        Throwable cause = error;
        while (cause != null) {
            if (cause instanceof KubernetesClientException e) {
                if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                    return Problem.platform(Code.FORBIDDEN.text(), cannot + e.getMessage());
                }
                if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                    return Problem.platform(
                            Code.KIND_NOT_SERVED.text(),
                            "the cluster does not serve " + kind + "; install what provides it");
                }
            }
            cause = cause.getCause();
        }
        return Problem.platform("ApiServerUnavailable", cannot + error.getMessage());
    }

    @Override
    public void close() {
        informer.close();
    }

    /** An empty object of the same kind: what is kept of one that is of no interest but for its name. */
    public static GenericKubernetesResource sameKind(GenericKubernetesResource object) {
        GenericKubernetesResource empty = new GenericKubernetesResource();
        empty.setApiVersion(object.getApiVersion());
        empty.setKind(object.getKind());
        return empty;
    }
}
