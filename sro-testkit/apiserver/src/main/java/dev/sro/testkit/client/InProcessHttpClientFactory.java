package dev.sro.testkit.client;

import dev.sro.testkit.server.ApiServer;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Makes fabric8 HTTP clients whose requests end at an in-process API server. Give it to
 * {@code KubernetesClientBuilder.withHttpClientFactory}. Thread-safe.
 */
public final class InProcessHttpClientFactory implements HttpClient.Factory {
    private final ApiServer server;
    private final Supplier<Executor> deliveries;
    private final boolean keepTimeouts;

    /**
     * A factory for a server.
     *
     * @param delivery runs the deliveries of watch events; it must run them one after another in order
     * @param keepTimeouts whether watches end when the client's timeoutSeconds are over; a simulation leaves this off, because the
     *     client draws that time at random
     */
    public InProcessHttpClientFactory(ApiServer server, Executor delivery, boolean keepTimeouts) {
        this(server, () -> delivery, keepTimeouts);
    }

    /**
     * A factory for a server whose watches are not equally fast.
     *
     * @param deliveries asked once per watch; what it gives must run the deliveries to that watch one after another in order
     * @param keepTimeouts as above
     */
    public InProcessHttpClientFactory(ApiServer server, Supplier<Executor> deliveries, boolean keepTimeouts) {
        this.server = server;
        this.deliveries = deliveries;
        this.keepTimeouts = keepTimeouts;
    }

    @Override
    public InProcessHttpClient.Builder newBuilder() {
        return new InProcessHttpClient.Builder(this);
    }

    ApiServer server() {
        return server;
    }

    Executor delivery() {
        return deliveries.get();
    }

    boolean keepTimeouts() {
        return keepTimeouts;
    }
}
