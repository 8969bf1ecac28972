package dev.sro.runtime.scheduler;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.sro.runtime.webhook.ServingCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers a scheduler: over HTTP on the loopback interface, for a scheduler in the same pod, or over HTTPS. Who can reach it can have pods bound, so over
 * HTTPS it can ask the scheduler for a certificate. Thread-safe.
 */
final class ExtenderServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExtenderServer.class);

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;

    /** A pod of at most 1.5 MiB and the names of ten thousand nodes. */
    private static final int MAX_BODY = 8 << 20;

    private final HttpServer server;

    private ExtenderServer(HttpServer server) {
        this.server = server;
    }

    /**
     * How the server is known, and whom it knows.
     *
     * @param certificate its own
     * @param clients file with certificates (PEM) of whoever signs those of schedulers; empty if anybody may ask
     */
    record Tls(ServingCertificate certificate, Optional<Path> clients) {}

    /**
     * Serves until closed.
     *
     * @param address where to listen; port 0 is any free one
     * @param tls empty for plain HTTP
     * @param ready whether answers are worth something yet
     * @throws IOException if the address is taken, or a file cannot be read
     */
    static ExtenderServer start(
            InetSocketAddress address,
            Optional<Tls> tls,
            Executor executor,
            BiFunction<String, byte[], Optional<byte[]>> answers,
            BooleanSupplier ready)
            throws IOException {
        return start(address, tls, executor, answers, ready, Optional.empty());
    }

    /** @param metrics in the text format of Prometheus; empty where there are none */
    static ExtenderServer start(
            InetSocketAddress address,
            Optional<Tls> tls,
            Executor executor,
            BiFunction<String, byte[], Optional<byte[]>> answers,
            BooleanSupplier ready,
            Optional<Supplier<String>> metrics)
            throws IOException {
        HttpServer server = tls.isPresent() ? secure(address, tls.get()) : HttpServer.create(address, 0);
        server.setExecutor(executor);
        server.createContext("/", exchange -> {
            try (exchange) {
                if (exchange.getRequestMethod().equals("GET")) {
                    probe(exchange, ready, metrics);
                } else {
                    answer(exchange, answers);
                }
            }
        });
        server.start();
        return new ExtenderServer(server);
    }

    private static HttpServer secure(InetSocketAddress address, Tls tls) throws IOException {
        HttpsServer server = HttpsServer.create(address, 0);
        boolean asked = tls.clients().isPresent();
        server.setHttpsConfigurator(new HttpsConfigurator(context(tls)) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters given = getSSLContext().getDefaultSSLParameters();
                given.setNeedClientAuth(asked);
                parameters.setSSLParameters(given);
            }
        });
        return server;
    }

    private static SSLContext context(Tls tls) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager @Nullable [] trusted =
                    tls.clients().isPresent() ? trusted(tls.clients().get()) : null;
            context.init(new KeyManager[] {tls.certificate()}, trusted, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS is not to be had: " + e.getMessage(), e);
        }
    }

    private static TrustManager[] trusted(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(file)) {
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static void probe(HttpExchange exchange, BooleanSupplier ready, Optional<Supplier<String>> metrics)
            throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/metrics") && metrics.isPresent()) {
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            send(exchange, OK, metrics.get().get());
            return;
        }
        switch (path) {
            case "/healthz" -> send(exchange, OK, "ok\n");
            case "/readyz" ->
                send(
                        exchange,
                        ready.getAsBoolean() ? OK : UNAVAILABLE,
                        ready.getAsBoolean() ? "ok\n" : "caches are being filled\n");
            default -> send(exchange, NOT_FOUND, "GET /healthz, GET /readyz, or POST\n");
        }
    }

    private static void answer(HttpExchange exchange, BiFunction<String, byte[], Optional<byte[]>> answers)
            throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            send(exchange, NOT_ALLOWED, "POST only\n");
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            send(exchange, TOO_LARGE, "more than " + MAX_BODY + " bytes\n");
            return;
        }
        String path = exchange.getRequestURI().getPath();
        try {
            Optional<byte[]> answer = answers.apply(path, body);
            if (answer.isEmpty()) {
                exchange.getResponseHeaders().set("Content-Type", "text/plain");
                send(exchange, NOT_FOUND, "nothing answers at " + path + "\n");
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            send(exchange, OK, answer.get());
        } catch (IllegalArgumentException e) {
            send(exchange, BAD_REQUEST, e.getMessage() + "\n");
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("no answer at {}", path);
            send(exchange, FAILED, "failed\n");
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        send(exchange, status, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] bytes) throws IOException {
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
