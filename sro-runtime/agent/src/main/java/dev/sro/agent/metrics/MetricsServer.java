package dev.sro.agent.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Serves {@code /metrics} and {@code /healthz}, by the server that the JDK brings. One request at a time. */
public final class MetricsServer implements AutoCloseable {
    private static final int OK = 200;

    private final HttpServer server;

    /**
     * Serves from now on.
     *
     * @param address {@code HOST:PORT}; port 0 for any
     * @throws IOException if it cannot be had
     */
    public MetricsServer(String address, AgentMetrics metrics) throws IOException {
        int colon = address.lastIndexOf(':');
        server = HttpServer.create(
                new InetSocketAddress(
                        address.substring(0, colon).replaceAll("[\\[\\]]", ""),
                        Integer.parseInt(address.substring(colon + 1))),
                0);
        server.createContext(
                "/metrics", exchange -> answer(exchange, "text/plain; version=0.0.4; charset=utf-8", metrics.text()));
        server.createContext("/healthz", exchange -> answer(exchange, "text/plain; charset=utf-8", "ok\n"));
        server.start();
    }

    private static void answer(HttpExchange exchange, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(OK, bytes.length);
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
