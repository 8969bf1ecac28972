package dev.sro.runtime.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Sees every request of the operator's client: limits their rate, counts them, and refuses writes while this replica does not
 * hold the lease. This is the last place before the wire, so that nothing gets past it. Thread-safe.
 */
final class ApiTraffic implements Interceptor {

    /** Under which it is known to the client. */
    static final String NAME = "sro-traffic";

    private static final String GET = "GET";

    private static final int TOO_MANY_REQUESTS = 429;

    /** Longer than an API server that is merely busy asks for. */
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(10);

    /** Events are news, not work: they have a budget of their own, and one that is over it is dropped. */
    private static final double EVENTS_PER_SECOND = 10;

    private static final int EVENT_BURST = 100;

    private final RateLimit limit;
    private final RateLimit events;
    private final BooleanSupplier mayWrite;
    private final MeterRegistry metrics;

    ApiTraffic(RateLimit limit, LongSupplier nanos, BooleanSupplier mayWrite, MeterRegistry metrics) {
        this.limit = limit;
        this.events = new RateLimit(EVENTS_PER_SECOND, EVENT_BURST, nanos);
        this.mayWrite = mayWrite;
        this.metrics = metrics;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        boolean event = isEvent(request);
        if (event && !events.tryTake()) {
            throw new KubernetesClientException(
                    "the event is dropped: there are more than " + EVENTS_PER_SECOND + " a second");
        }
        long wait = event ? 0 : limit.take();
        if (wait > 0) {
            throttled(metrics).record(wait, TimeUnit.NANOSECONDS);
            sleep(wait);
        }
        if (!GET.equals(request.method()) && !mayWrite.getAsBoolean()) {
            throw new KubernetesClientException(request.method() + " "
                    + request.uri().getPath() + " is not sent: this replica does not hold the lease");
        }
    }

    private static boolean isEvent(HttpRequest request) {
        return request.uri().getPath().startsWith("/apis/events.k8s.io/");
    }

    /** A server that is busy says for how long to stay away. To an eviction it says so because of a budget of pods: nobody else's wait. */
    private void heed(HttpRequest request, HttpResponse<?> response) {
        if (response.code() != TOO_MANY_REQUESTS || request.uri().getPath().endsWith("/eviction")) {
            return;
        }
        String after = response.header("Retry-After");
        if (after != null && after.matches("\\d{1,6}")) {
            limit.pause(Math.min(LONGEST_PAUSE, TimeUnit.SECONDS.toNanos(Long.parseLong(after))));
        }
    }

    private static void sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KubernetesClientException("interrupted while waiting for the rate limit", e);
        }
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        heed(request, response);
        count(request, Integer.toString(response.code()));
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        count(request, "none");
    }

    private void count(HttpRequest request, String code) {
        ApiCall call = ApiCall.of(String.valueOf(request.method()), request.uri());
        requests(metrics, call, code).increment();
    }

    static Timer throttled(MeterRegistry metrics) {
        return Timer.builder("sro.api.throttled")
                .description("How long requests waited for the rate limit")
                .register(metrics);
    }

    static Counter requests(MeterRegistry metrics, ApiCall call, String code) {
        return Counter.builder("sro.api.requests")
                .description(
                        "Requests to the API server, but for those for the lease; code none where there was no answer")
                .tag("verb", call.verb())
                .tag("resource", call.resource())
                .tag("code", code)
                .register(metrics);
    }
}
