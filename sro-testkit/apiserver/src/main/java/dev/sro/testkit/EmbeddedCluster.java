package dev.sro.testkit;

import dev.sro.testkit.client.InProcessHttpClientFactory;
import dev.sro.testkit.http.HttpFront;
import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Controller;
import dev.sro.testkit.server.Faults;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.server.WebhookServices;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes cluster inside of the JVM: an API server, its controllers, and whatever controllers are added. The real fabric8
 * client and its informers run on it unchanged.
 *
 * <p>In <b>stepped</b> mode (the default) nothing happens by itself: controllers work and watch events are delivered in
 * {@link #settle()} and {@link #advance}, on the caller's thread, in a fixed order, so a test runs the same way every time.
 * In <b>real-time</b> mode one thread does this whenever there is something to do.
 *
 * <p>Thread-safe, except that in stepped mode only one thread may settle at a time.
 */
public final class EmbeddedCluster implements AutoCloseable {
    private static final Instant DEFAULT_START = Instant.parse("2026-01-01T00:00:00Z");

    /** Makes a cluster. */
    public static final class Builder {
        private boolean openShift;
        private @Nullable VirtualClock clock;
        private long seed = 1;
        private int history = 10_000;
        private boolean deliverAtOnce;
        private @Nullable Duration slowest;
        private KubernetesSerialization serialization = new KubernetesSerialization();
        private final List<Controller.Factory> controllers = new ArrayList<>();
        private final Map<String, String> missing = new TreeMap<>();

        private Builder() {}

        /** Serves the OpenShift types too. */
        public Builder openShift(boolean on) {
            openShift = on;
            return this;
        }

        /** The cluster's time; decides on the mode. Default: stepped, beginning with 2026. */
        public Builder clock(VirtualClock time) {
            clock = time;
            return this;
        }

        /** Real-time mode. */
        public Builder realTime() {
            return clock(VirtualClock.realTime());
        }

        /** Fixes uids, generated names and random faults. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** How many events per type a watch can go back before it gets 410. */
        public Builder historyWindow(int events) {
            history = events;
            return this;
        }

        /**
         * In stepped mode, delivers watch events as soon as a request is over, instead of in {@link #settle()}: informers are then
         * never behind. Leave it off to test with stale caches.
         */
        public Builder deliverAtOnce(boolean on) {
            deliverAtOnce = on;
            return this;
        }

        /**
         * In stepped mode, draws from the seed when each event reaches its watch: before the answer to the request that caused it,
         * with the next {@link #settle()}, or up to this much time later. Each watch gets its events in their order; of two watches
         * one may be far behind the other, as on a busy API server.
         *
         * @param longest how far a watch may be behind; not negative
         */
        public Builder randomDelivery(Duration longest) {
            slowest = longest;
            return this;
        }

        /**
         * The serialization of all clients. Filling its caches costs more than a small cluster: share one between the clusters
         * of a test that makes many. Default: one for this cluster.
         */
        public Builder serialization(KubernetesSerialization shared) {
            serialization = shared;
            return this;
        }

        /** Adds a controller that works on the cluster's objects. */
        public Builder controller(Controller.Factory factory) {
            controllers.add(factory);
            return this;
        }

        /** Leaves out a built-in type, as clusters do that are older than it. */
        public Builder without(String apiVersion, String kind) {
            missing.put(kind, apiVersion);
            return this;
        }

        /** Makes the cluster, with the namespaces every cluster has. */
        public EmbeddedCluster build() {
            return new EmbeddedCluster(this);
        }
    }

    private final VirtualClock clock;
    private final KubernetesSerialization serialization;
    private final ApiServer server;
    private final Delivery delivery;
    private final WorkLoop loop;
    private final List<KubernetesClient> clients = new ArrayList<>();
    private final List<HttpFront> fronts = new ArrayList<>();
    private @Nullable KubernetesClient client;

    private EmbeddedCluster(Builder builder) {
        VirtualClock given = builder.clock;
        serialization = builder.serialization;
        clock = given == null ? VirtualClock.stepped(DEFAULT_START) : given;
        server = ApiServer.create(clock, builder.openShift, builder.seed, builder.history);
        builder.missing.forEach((kind, apiVersion) -> server.withdraw(apiVersion, kind));
        boolean stepped = clock.isStepped();
        delivery = stepped ? stepped(builder, clock) : Delivery.threaded();
        server.afterRequests(delivery::afterRequest);
        List<Controller> controllers = new ArrayList<>(server.controllers());
        builder.controllers.forEach(f -> controllers.add(f.create(server.api(), clock)));
        controllers.forEach(server::logsFrom);
        loop = new WorkLoop(clock, controllers, delivery);
        server.createSystemNamespaces();
        if (stepped) {
            clock.afterEach(loop::settle);
            loop.settle();
        } else {
            loop.start(server);
        }
    }

    private static Delivery stepped(Builder builder, VirtualClock clock) {
        Duration slowest = builder.slowest;
        return slowest == null
                ? Delivery.stepped(builder.deliverAtOnce)
                : Delivery.random(new RandomDelivery(clock, builder.seed, slowest));
    }

    /** Begins to describe a cluster. */
    public static Builder builder() {
        return new Builder();
    }

    /** A stepped cluster without further controllers. */
    public static EmbeddedCluster create() {
        return builder().build();
    }

    /** The cluster administrator's client; the same one at each call. Closed with the cluster. */
    public synchronized KubernetesClient client() {
        KubernetesClient known = client;
        if (known == null) {
            known = newClient("fabric8-kubernetes-client");
            client = known;
        }
        return known;
    }

    /** A new client with its own user agent, by which recordings and managedFields tell it apart. Closed with the cluster. */
    public KubernetesClient newClient(String userAgent) {
        return newClient(config(userAgent).build());
    }

    /**
     * The same with the rights of a service account.
     *
     * @param token as {@code TokenRequest} gives it
     */
    public KubernetesClient newClient(String userAgent, String token) {
        return newClient(config(userAgent).withOauthToken(token).build());
    }

    private ConfigBuilder config(String userAgent) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://embedded.invalid")
                .withNamespace("default")
                .withUserAgent(userAgent)
                .withRequestRetryBackoffLimit(0)
                .withWatchReconnectInterval(clock.isStepped() ? 1 : 1000);
    }

    /** A new client with a configuration of the caller's (impersonation, retries). Closed with the cluster. */
    public synchronized KubernetesClient newClient(Config config) {
        KubernetesClientBuilder builder = new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(serialization)
                .withHttpClientFactory(httpClientFactory());
        if (clock.isStepped()) {
            builder.withTaskExecutor(delivery::runForClient);
        }
        KubernetesClient made = builder.build();
        clients.add(made);
        return made;
    }

    /** The transport, for callers that build their client themselves. */
    public HttpClient.Factory httpClientFactory() {
        return new InProcessHttpClientFactory(server, delivery::ofOneWatch, !clock.isStepped());
    }

    /** Direct access to the objects, for simulated controllers and tests. */
    public ClusterApi api() {
        return server.api();
    }

    /** The API server, for requests without a client and for faults of watches. */
    public ApiServer server() {
        return server;
    }

    /**
     * Sets where admission webhooks listen whose configuration names a Service. Those with a URL are called there. Default: nowhere.
     */
    public void webhookServices(WebhookServices services) {
        server.webhookServices(services);
    }

    /** The cluster's time. */
    public VirtualClock clock() {
        return clock;
    }

    /** The requests that were made. */
    public Recording recording() {
        return server.recording();
    }

    /** Makes requests fail. */
    public Faults faults() {
        return server.faults();
    }

    /**
     * Lets everything happen that can happen now: due timers, controllers, delivery of watch events, over and over until nothing is
     * left to do. In real-time mode waits until the cluster's own thread is idle.
     *
     * @throws IllegalStateException if there is no end to it
     */
    public void settle() {
        loop.settle();
    }

    /** Moves the cluster's time forward, and settles after each timer on the way and at the end. Only in stepped mode. */
    public void advance(Duration by) {
        settle();
        clock.advance(by);
        settle();
    }

    /**
     * Serves the cluster over HTTP on the loopback interface, until the cluster is closed. Controllers work in between only in
     * real-time mode.
     *
     * @param port 0 for any free port
     * @throws IOException if the port is taken
     */
    public synchronized HttpFront serveHttp(int port) throws IOException {
        HttpFront front = HttpFront.start(server, port);
        fronts.add(front);
        return front;
    }

    /** Ends all watches (of a type, or null for all), as a restarting API server does. */
    public void dropWatches(@Nullable Gvr type) {
        server.dropWatches(type);
    }

    /** Leaves all watches (of a type, or null for all) open and sends nothing more, as a connection does that died unseen. */
    public void silenceWatches(@Nullable Gvr type) {
        server.silenceWatches(type);
    }

    @Override
    public synchronized void close() {
        loop.close();
        clients.forEach(KubernetesClient::close);
        delivery.close();
        fronts.forEach(HttpFront::close);
    }
}
