package dev.sro.runtime.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** {@code /metrics} over HTTPS, for those who may read them. Thread-safe. */
final class MetricsServer implements AutoCloseable {

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final HttpsServer server;

    private MetricsServer(HttpsServer server) {
        this.server = server;
    }

    /**
     * Serves until closed.
     *
     * @param address where to listen; port 0 is any free one
     * @param tls what it shows
     * @param executor answers requests; not shut down
     * @param metrics in the text format of Prometheus
     * @throws IOException if the address is taken
     */
    static MetricsServer start(
            InetSocketAddress address,
            SSLContext tls,
            Executor executor,
            MetricsAccess access,
            Supplier<String> metrics)
            throws IOException {
        HttpsServer server = HttpsServer.create(address, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(executor);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange, access, metrics);
            }
        });
        server.start();
        return new MetricsServer(server);
    }

    private static void answer(HttpExchange exchange, MetricsAccess access, Supplier<String> metrics)
            throws IOException {
        if (!exchange.getRequestMethod().equals("GET")) {
            send(exchange, NOT_ALLOWED, "GET only\n");
            return;
        }
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        switch (access.judge(authorization == null ? "" : authorization)) {
            case UNKNOWN -> {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                send(exchange, UNAUTHORIZED, "a token of the cluster is needed\n");
            }
            case FORBIDDEN -> send(exchange, FORBIDDEN, "the right to get the non-resource URL /metrics is needed\n");
            case UNAVAILABLE -> send(exchange, UNAVAILABLE, "the API server does not say who you are\n");
            case ALLOWED -> {
                if (exchange.getRequestURI().getPath().equals("/metrics")) {
                    exchange.getResponseHeaders().set("Content-Type", Endpoints.PROMETHEUS);
                    send(exchange, OK, metrics.get());
                } else {
                    send(exchange, NOT_FOUND, "there is /metrics\n");
                }
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /** The port that it listens on. */
    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
