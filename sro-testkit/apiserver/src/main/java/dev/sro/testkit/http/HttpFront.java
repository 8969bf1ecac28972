package dev.sro.testkit.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.ApiResponse;
import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.LostAnswerException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves an API server over HTTP on the loopback interface, without authentication: whoever can reach the port is the
 * administrator. One thread per request in progress. Thread-safe.
 */
public final class HttpFront implements AutoCloseable {
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";

    static {
        // Head and body of an answer are written apart; without this the second waits for the first's acknowledgement,
        // 40 ms.
        if (System.getProperty(NO_DELAY) == null) {
            System.setProperty(NO_DELAY, "true");
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

    private final ApiServer server;
    private final HttpServer http;
    private final ExecutorService threads;
    private final Set<StreamSink> streams = ConcurrentHashMap.newKeySet();

    private HttpFront(ApiServer server, HttpServer http) {
        this.server = server;
        this.http = http;
        this.threads = Executors.newCachedThreadPool(work -> {
            Thread t = new Thread(work, "embedded-cluster-http");
            t.setDaemon(true);
            return t;
        });
    }

    /**
     * Starts to serve.
     *
     * @param port 0 for any free port
     * @throws IOException if the port is taken
     */
    public static HttpFront start(ApiServer server, int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        HttpFront front = new HttpFront(server, HttpServer.create(address, 64));
        front.http.createContext("/", front::exchange);
        front.http.setExecutor(front.threads);
        front.http.start();
        return front;
    }

    /** Where it listens: {@code http://127.0.0.1:port}. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    /** A kubeconfig for kubectl. */
    public String kubeconfig() {
        return String.join(
                "\n",
                "apiVersion: v1",
                "kind: Config",
                "clusters:",
                "- name: embedded",
                "  cluster:",
                "    server: " + uri(),
                "contexts:",
                "- name: embedded",
                "  context:",
                "    cluster: embedded",
                "    user: admin",
                "current-context: embedded",
                "users:",
                "- name: admin",
                "  user: {}",
                "");
    }

    private void exchange(HttpExchange exchange) {
        try {
            ApiRequest request = request(exchange);
            if ("websocket".equalsIgnoreCase(header(exchange, "Upgrade"))) {
                // No web sockets here. This answer makes fabric8 watch by a plain GET at once; a stream would make it
                // wait.
                exchange.sendResponseHeaders(200, -1);
            } else if (ApiServer.isWatch(request)) {
                watch(exchange, request);
            } else {
                answer(exchange, server.handle(request));
            }
            exchange.close();
        } catch (IOException | LostAnswerException e) {
            // The connection is broken, by the client or by a fault: closing the exchange is all there is to do.
            exchange.close();
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
            fail(exchange, e);
        }
    }

    private static void fail(HttpExchange exchange, RuntimeException e) {
        try (exchange) {
            answer(
                    exchange,
                    ApiResponse.error(new ApiException(500, "InternalError", "Internal error occurred: " + e)));
        } catch (IOException broken) {
            LOG.debug("and its client is gone", broken);
        }
    }

    private static ApiRequest request(HttpExchange exchange) throws IOException {
        URI uri = exchange.getRequestURI();
        byte[] body = exchange.getRequestBody().readAllBytes();
        String agent = header(exchange, "User-Agent");
        String user = header(exchange, "Impersonate-User");
        List<String> groups = exchange.getRequestHeaders().getOrDefault("Impersonate-Group", List.of());
        return new ApiRequest(
                exchange.getRequestMethod(),
                uri.getPath(),
                query(uri.getRawQuery()),
                header(exchange, "Content-Type"),
                header(exchange, "Accept"),
                agent == null ? "unknown" : agent,
                user == null ? null : new ApiRequest.Identity(user, groups),
                body.length == 0 ? null : body);
    }

    private static @Nullable String header(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    private static Map<String, List<String>> query(@Nullable String raw) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (raw == null || raw.isEmpty()) {
            return query;
        }
        for (String part : raw.split("&")) {
            int eq = part.indexOf('=');
            String key = decode(eq < 0 ? part : part.substring(0, eq));
            query.computeIfAbsent(key, k -> new ArrayList<>()).add(eq < 0 ? "" : decode(part.substring(eq + 1)));
        }
        return query;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, ApiResponse response) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", response.contentType());
        response.headers()
                .forEach((name, values) ->
                        values.forEach(value -> exchange.getResponseHeaders().add(name, value)));
        byte[] body = response.body();
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(response.status(), head || body.length == 0 ? -1 : body.length);
        if (!head && body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private void watch(HttpExchange exchange, ApiRequest request) throws IOException {
        StreamSink sink = new StreamSink();
        try (ApiServer.Watch watch = server.watch(request, sink)) {
            streams.add(sink);
            exchange.getResponseHeaders().set("Content-Type", watch.contentType());
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                sink.pump(out, request.param("timeoutSeconds"), watch::bookmark);
            }
        } catch (ApiException e) {
            answer(exchange, ApiResponse.error(e));
        } finally {
            streams.remove(sink);
        }
    }

    /** Ends all watches and stops to listen. */
    @Override
    public void close() {
        streams.forEach(StreamSink::end);
        http.stop(0);
        threads.shutdownNow();
    }
}
