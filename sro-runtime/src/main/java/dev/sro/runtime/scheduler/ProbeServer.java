package dev.sro.runtime.scheduler;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** Answers kubelet over plain HTTP: {@code /healthz}, and {@code /readyz} when it is. Thread-safe. */
public final class ProbeServer implements AutoCloseable {
    private final ExtenderServer server;

    private ProbeServer(ExtenderServer server) {
        this.server = server;
    }

    /**
     * Serves until closed.
     *
     * @throws IOException if the port is taken
     */
    public static ProbeServer start(InetSocketAddress address, Executor executor, BooleanSupplier ready)
            throws IOException {
        return new ProbeServer(
                ExtenderServer.start(address, Optional.empty(), executor, (path, body) -> Optional.empty(), ready));
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
