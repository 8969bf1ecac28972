package dev.sro.testkit.http;

import dev.sro.testkit.server.ApiServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves an API server over HTTP on the loopback interface, without authentication: whoever can reach the port is the
 * administrator. Watches are streams of lines, or web sockets where a client asks for one. One thread per connection, two with a web
 * socket. Thread-safe.
 */
public final class HttpFront implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

    private static final int BACKLOG = 64;

    private final ApiServer server;
    private final ServerSocket listening;
    private final ExecutorService threads;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    private HttpFront(ApiServer server, ServerSocket listening) {
        this.server = server;
        this.listening = listening;
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
        HttpFront front = new HttpFront(server, new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress()));
        front.threads.execute(front::accept);
        return front;
    }

    /** Where it listens: {@code http://127.0.0.1:port}. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
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

    private void accept() {
        while (!listening.isClosed()) {
            try {
                serve(listening.accept());
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    LOG.warn("a connection could not be accepted", e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        Connection connection = new Connection(server, socket, threads);
        connections.add(connection);
        try {
            threads.execute(() -> {
                try {
                    connection.run();
                } finally {
                    connections.remove(connection);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("a connection came when the server stopped", e);
            connection.close();
        }
    }

    /** Ends all watches and all connections, and stops to listen. */
    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            LOG.debug("the port could not be closed", e);
        }
        threads.shutdown();
        connections.forEach(Connection::endWatch);
        connections.forEach(Connection::close);
        threads.shutdownNow();
    }
}
