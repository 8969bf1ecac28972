package dev.sro.runtime.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sees every request of the operator's client: limits their rate, counts them, and refuses writes while this replica does not
 * hold the lease. This is the last place before the wire, so that nothing gets past it. Thread-safe.
 */
final class ApiTraffic implements Interceptor {

    /** Under which it is known to the client. */
    static final String NAME = "sro-traffic";

    private static final String GET = "GET";

    private final RateLimit limit;
    private final BooleanSupplier mayWrite;
    private final MeterRegistry metrics;

    ApiTraffic(RateLimit limit, BooleanSupplier mayWrite, MeterRegistry metrics) {
        this.limit = limit;
        this.mayWrite = mayWrite;
        this.metrics = metrics;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        long wait = limit.take();
        if (wait > 0) {
            metrics.timer("sro.api.throttled").record(wait, TimeUnit.NANOSECONDS);
            sleep(wait);
        }
        if (!GET.equals(request.method()) && !mayWrite.getAsBoolean()) {
            throw new KubernetesClientException(request.method() + " "
                    + request.uri().getPath() + " is not sent: this replica does not hold the lease");
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
        count(request, Integer.toString(response.code()));
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        count(request, "none");
    }

    private void count(HttpRequest request, String code) {
        ApiCall call = ApiCall.of(String.valueOf(request.method()), request.uri());
        metrics.counter("sro.api.requests", "verb", call.verb(), "resource", call.resource(), "code", code)
                .increment();
    }
}
