package dev.sro.agent.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/** Serves {@code /metrics}, {@code /healthz} and {@code /readyz}, by the server that the JDK brings. One request at a time. */
public final class MetricsServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;

    /**
     * Serves from now on.
     *
     * @param address {@code HOST:PORT}; port 0 for any
     * @param ready what {@code /readyz} says
     * @throws IOException if it cannot be had
     */
    public MetricsServer(String address, AgentMetrics metrics, BooleanSupplier ready) throws IOException {
        int colon = address.lastIndexOf(':');
        server = HttpServer.create(
                new InetSocketAddress(
                        address.substring(0, colon).replaceAll("[\\[\\]]", ""),
                        Integer.parseInt(address.substring(colon + 1))),
                0);
        server.createContext(
                "/metrics",
                exchange -> answer(exchange, OK, "text/plain; version=0.0.4; charset=utf-8", metrics.text()));
        server.createContext("/healthz", exchange -> answer(exchange, OK, TEXT, "ok\n"));
        server.createContext("/readyz", exchange -> {
            boolean yes = ready.getAsBoolean();
            answer(exchange, yes ? OK : UNAVAILABLE, TEXT, yes ? "ok\n" : "not registered or not published yet\n");
        });
        server.start();
    }

    private static void answer(HttpExchange exchange, int code, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Where it is. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
