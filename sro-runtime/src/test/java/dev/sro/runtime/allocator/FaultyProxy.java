package dev.sro.runtime.allocator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What lies between an allocator and a real API server on a bad day: writes are refused before they reach it (409, 429, 500, 503), or are done and the answer
 * is lost; watches end at any time. Thread-safe; which request meets what is chance.
 */
final class FaultyProxy implements AutoCloseable {
    private static final Set<String> READS = Set.of("GET", "HEAD");

    /** Of the connection, which each side makes for itself. */
    private static final Set<String> OWN =
            Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade", "expect", "http2-settings");

    private final HttpServer server;
    private final HttpClient upstream;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "faulty-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final URI real;
    private final Optional<String> token;
    private final Random random;
    private final AtomicInteger faults = new AtomicInteger();
    private volatile int percent;

    /** One without faults, for now. */
    FaultyProxy(Config config, long seed) throws Exception {
        real = URI.create(config.getMasterUrl());
        token = Optional.ofNullable(config.getAutoOAuthToken()).or(() -> Optional.ofNullable(config.getOauthToken()));
        random = new Random(seed);
        upstream = HttpClient.newBuilder()
                .sslContext(SSLUtils.sslContext(config))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Of a hundred writes, and of a hundred parts of a watch, how many meet a fault. */
    void percent(int of) {
        percent = of;
    }

    /** Faults so far. */
    int faults() {
        return faults.get();
    }

    /** How to reach the API server by it, as a user. */
    Config config(String user) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withImpersonateUsername(user)
                .withOnlyHttpWatches(true)
                .withRequestRetryBackoffLimit(0)
                .build();
    }

    private boolean isBad() {
        boolean bad = random.nextInt(100) < percent;
        if (bad) {
            faults.incrementAndGet();
        }
        return bad;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean write = !READS.contains(exchange.getRequestMethod());
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (write && isBad()) {
                int code = List.of(409, 429, 500, 503).get(random.nextInt(4));
                byte[] status = ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code
                                + ",\"message\":\"a bad day\"}")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(code, status.length);
                exchange.getResponseBody().write(status);
                return;
            }
            HttpResponse<InputStream> response =
                    upstream.send(request(exchange, body), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream from = response.body()) {
                // An answer that is lost: the connection ends without one.
                if (!write || !isBad()) {
                    pass(exchange, response, from);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest request(HttpExchange exchange, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        real.resolve(exchange.getRequestURI().toString()))
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        token.ifPresent(known -> request.header("Authorization", "Bearer " + known));
        return request.build();
    }

    private void pass(HttpExchange exchange, HttpResponse<InputStream> response, InputStream from) throws IOException {
        for (Map.Entry<String, List<String>> header : response.headers().map().entrySet()) {
            if (!OWN.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().put(header.getKey(), header.getValue());
            }
        }
        exchange.sendResponseHeaders(response.statusCode(), 0);
        boolean watch = String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true");
        OutputStream to = exchange.getResponseBody();
        byte[] buffer = new byte[16_384];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.write(buffer, 0, read);
            to.flush();
            if (watch && isBad()) {
                return;
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
