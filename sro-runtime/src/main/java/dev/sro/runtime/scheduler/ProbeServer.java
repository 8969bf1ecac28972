package dev.sro.runtime.scheduler;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers over plain HTTP: kubelet at {@code /healthz}, and at {@code /readyz} when it is, and Prometheus at {@code /metrics}. Thread-safe. */
public final class ProbeServer implements AutoCloseable {
    private final ExtenderServer server;

    private ProbeServer(ExtenderServer server) {
        this.server = server;
    }

    /**
     * Serves until closed.
     *
     * @param metrics in the text format of Prometheus
     * @throws IOException if the port is taken
     */
    public static ProbeServer start(
            InetSocketAddress address, Executor executor, BooleanSupplier ready, Supplier<String> metrics)
            throws IOException {
        return new ProbeServer(ExtenderServer.start(
                address, Optional.empty(), executor, (path, body) -> Optional.empty(), ready, Optional.of(metrics)));
    }

    /** The port that it has. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
