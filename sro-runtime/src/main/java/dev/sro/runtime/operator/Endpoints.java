package dev.sro.runtime.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /livez}, {@code /readyz} and {@code /metrics} over HTTP. Thread-safe. */
final class Endpoints implements AutoCloseable {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;
    private static final String TEXT = "text/plain; charset=utf-8";
    static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;

    /**
     * Serves until closed.
     *
     * @param address where to listen; port 0 is any free one
     * @param executor answers requests
     * @param live by name: why this process should be started anew, or empty
     * @param ready by name: why it is not ready, or empty
     * @param metrics in the text format of Prometheus; null where they are elsewhere
     * @throws IOException if the address is taken
     */
    static Endpoints start(
            InetSocketAddress address,
            Executor executor,
            Map<String, Supplier<String>> live,
            Map<String, Supplier<String>> ready,
            @Nullable Supplier<String> metrics)
            throws IOException {
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(executor);
        checks(server, "/livez", live, FAILED);
        checks(server, "/readyz", ready, UNAVAILABLE);
        if (metrics != null) {
            serve(server, "/metrics", exchange -> answer(exchange, OK, PROMETHEUS, metrics.get()));
        }
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(
                        exchange,
                        NOT_FOUND,
                        TEXT,
                        "there is /livez, /readyz" + (metrics == null ? "\n" : " and /metrics\n"));
            }
        });
        server.start();
        return new Endpoints(server);
    }

    private Endpoints(HttpServer server) {
        this.server = server;
    }

    /** The port that it listens on. */
    int port() {
        return server.getAddress().getPort();
    }

    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private static void checks(HttpServer server, String path, Map<String, Supplier<String>> checks, int status) {
        Map<String, Supplier<String>> all = new LinkedHashMap<>(checks);
        serve(server, path, exchange -> {
            StringBuilder text = new StringBuilder();
            boolean good = true;
            for (Map.Entry<String, Supplier<String>> check : all.entrySet()) {
                String why = check.getValue().get();
                good &= why.isEmpty();
                text.append(why.isEmpty() ? "[+]" : "[-]").append(check.getKey());
                text.append(why.isEmpty() ? " ok" : " failed: " + why).append('\n');
            }
            answer(
                    exchange,
                    good ? OK : status,
                    TEXT,
                    text.append(good ? "ok\n" : "failed\n").toString());
        });
    }

    private static void serve(HttpServer server, String path, Answer answer) {
        server.createContext(path, exchange -> {
            try (exchange) {
                if (!exchange.getRequestMethod().equals("GET")
                        && !exchange.getRequestMethod().equals("HEAD")) {
                    answer(exchange, NOT_ALLOWED, TEXT, "GET only\n");
                } else if (!exchange.getRequestURI().getPath().equals(path)) {
                    answer(exchange, NOT_FOUND, TEXT, "there is " + path + "\n");
                } else {
                    answer.to(exchange);
                }
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head ? -1 : bytes.length);
        if (!head) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
