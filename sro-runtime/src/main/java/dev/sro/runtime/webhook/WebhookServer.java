package dev.sro.runtime.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the API server's AdmissionReviews over HTTPS. Thread-safe. */
public final class WebhookServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int FAILED = 500;

    /** Twice the largest object that the API server stores (1.5 MiB in etcd), for old and new one. */
    private static final int MAX_BODY = 3 << 20;

    private final HttpsServer server;

    private WebhookServer(HttpsServer server) {
        this.server = server;
    }

    /**
     * Serves until closed.
     *
     * @param address where to listen; port 0 is any free one
     * @param certificate which may change while it serves
     * @param executor answers requests; not shut down
     * @throws IOException if the address is taken
     */
    public static WebhookServer start(
            InetSocketAddress address, ServingCertificate certificate, Executor executor, AdmissionEndpoints endpoints)
            throws IOException {
        HttpsServer server = HttpsServer.create(address, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(certificate)));
        server.setExecutor(executor);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange, endpoints);
            }
        });
        server.start();
        return new WebhookServer(server);
    }

    private static SSLContext context(ServingCertificate certificate) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {certificate}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS is not to be had", e);
        }
    }

    private static void answer(HttpExchange exchange, AdmissionEndpoints endpoints) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (!exchange.getRequestMethod().equals("POST")) {
            send(exchange, NOT_ALLOWED, "POST only\n");
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            send(exchange, TOO_LARGE, "more than " + MAX_BODY + " bytes\n");
            return;
        }
        try {
            Optional<String> answer = endpoints.answer(path, new String(body, StandardCharsets.UTF_8));
            if (answer.isEmpty()) {
                send(exchange, NOT_FOUND, "nothing answers at " + path + "\n");
            } else {
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                send(exchange, OK, answer.get());
            }
        } catch (IllegalArgumentException e) {
            send(exchange, BAD_REQUEST, e.getMessage() + "\n");
        } catch (RuntimeException e) {
            // The API server then does as the webhook's failurePolicy says.
            LOG.atError().setCause(e).log("no answer at {}", path);
            send(exchange, FAILED, "failed\n");
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
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
