package dev.sro.runtime.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A registry on loopback, with a certificate of nobody's, that has every image, but for those of repositories that nobody pushed to yet. */
final class EveryImage implements AutoCloseable {
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final byte[] CONFIG = bytes("{\"architecture\": \"amd64\", \"os\": \"linux\"}");
    private static final byte[] CONTENT = bytes("""
            {"schemaVersion": 2, "mediaType": "%1$s", "layers": [{"size": 1, "digest": "%3$s", "mediaType": \
            "application/vnd.oci.image.layer.v1.tar"}], "config": {"size": %2$d, "digest": "%3$s", \
            "mediaType": "application/vnd.oci.image.config.v1+json"}}""".formatted(MANIFEST, CONFIG.length, digest(CONFIG)));

    private final HttpsServer server;
    private final Set<String> unbuilt = ConcurrentHashMap.newKeySet();

    EveryImage() throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(
                new HttpsConfigurator(SelfSigned.context("registry", Instant.now(Clock.systemUTC()))));
        server.createContext("/", this::answer);
        server.start();
    }

    /** {@code host:port}. */
    String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** Has no image whose tag ends like this until it is {@linkplain #push pushed}. */
    void miss(String tag) {
        unbuilt.add(tag);
    }

    void push(String tag) {
        unbuilt.remove(tag);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (unbuilt.stream().anyMatch(path::endsWith)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            byte[] content = path.contains("/blobs/") ? CONFIG : CONTENT;
            exchange.getResponseHeaders().set("Content-Type", MANIFEST);
            exchange.getResponseHeaders().set("Docker-Content-Digest", digest(content));
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(200, head ? -1 : content.length);
            if (!head) {
                exchange.getResponseBody().write(content);
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digest(byte[] content) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
