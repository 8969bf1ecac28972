package dev.sro.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The admission webhooks of a case: an HTTPS server on the loopback interface. By path:
 *
 * <ul>
 *   <li>{@code response}: fields of the response; a {@code patch} is given as JSON and sent encoded
 *   <li>{@code review}: fields of the AdmissionReview, instead of the usual ones; null leaves one out
 *   <li>{@code status}: of HTTP, if it is not 200
 *   <li>{@code when}: a label; the response is for objects that have it, all others are allowed
 *   <li>{@code delay}: milliseconds
 * </ul>
 *
 * <p>A path that is not described allows everything.
 */
final class WebhookScript implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    static {
        // Read once by the JDK's server, whichever of its users comes first: see HttpFront.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private final JsonNode answers;
    private final @Nullable HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread t = new Thread(work, "conformance-webhook");
        t.setDaemon(true);
        return t;
    });
    private final Map<String, ArrayNode> seen = new HashMap<>();

    private WebhookScript(JsonNode answers) throws IOException {
        this.answers = answers;
        if (answers.isMissingNode()) {
            server = null;
            return;
        }
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        https.setHttpsConfigurator(
                new HttpsConfigurator(LoopbackCertificate.get().context()));
        https.setExecutor(threads);
        https.createContext("/", this::answer);
        https.start();
        server = https;
    }

    /** Starts to listen, if there is anything to answer. */
    static WebhookScript start(JsonNode answers) {
        try {
            return new WebhookScript(answers);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen for webhooks", e);
        }
    }

    String url() {
        return server == null ? "" : "https://127.0.0.1:" + server.getAddress().getPort();
    }

    String caBundle() {
        return server == null ? "" : LoopbackCertificate.get().caBundle();
    }

    /** What came at a path since this was last asked for: the requests of the reviews, in order. */
    synchronized ArrayNode take(String path) {
        ArrayNode requests = seen.remove(path);
        return requests == null ? JsonNodeFactory.instance.arrayNode() : requests;
    }

    private synchronized void note(String path, JsonNode request) {
        seen.computeIfAbsent(path, p -> JsonNodeFactory.instance.arrayNode()).add(request);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody()).path("request");
            String path = exchange.getRequestURI().getPath();
            note(path, request);
            JsonNode script = answers.path(path);
            LockSupport.parkNanos(
                    TimeUnit.MILLISECONDS.toNanos(script.path("delay").asLong()));
            byte[] body = review(script, request).toString().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(script.path("status").asInt(200), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static ObjectNode review(JsonNode script, JsonNode request) {
        ObjectNode review = JsonNodeFactory.instance.objectNode();
        review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode response = review.putObject("response");
        response.put("uid", request.path("uid").asText()).put("allowed", true);
        String label = script.path("when").asText();
        boolean applies = label.isEmpty()
                || request.path("object").path("metadata").path("labels").has(label);
        if (applies) {
            script.path("response").properties().forEach(e -> response.set(e.getKey(), e.getValue()));
            JsonNode patch = response.path("patch");
            if (patch.isArray()) {
                byte[] text = patch.toString().getBytes(StandardCharsets.UTF_8);
                response.put("patch", Base64.getEncoder().encodeToString(text));
            }
        }
        script.path("review").properties().forEach(e -> {
            if (e.getValue().isNull()) {
                review.remove(e.getKey());
            } else {
                review.set(e.getKey(), e.getValue());
            }
        });
        return review;
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
        threads.shutdownNow();
    }
}
