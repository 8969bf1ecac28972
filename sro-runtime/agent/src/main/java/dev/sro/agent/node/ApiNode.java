package dev.sro.agent.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.claims.ApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The Node of this agent on the API server. Thread-safe. */
public final class ApiNode {
    private static final int OK = 200;
    private static final int MULTIPLE = 300;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    /** The server ends a watch after so long. */
    private static final int WATCH_SECONDS = 280;

    /** A watch that did not end by then is one on a connection that is none any more. */
    private static final int GRACE_SECONDS = 20;

    private final ApiServer server;
    private final String name;
    private final ObjectMapper json = new ObjectMapper();
    private final Duration patience;
    private volatile Optional<InputStream> open = Optional.empty();

    /** Of the node of this name. */
    public ApiNode(ApiServer server, String name) {
        this(server, name, Duration.ofSeconds(WATCH_SECONDS + GRACE_SECONDS));
    }

    /** With another time after which a watch that did not end is given up. */
    ApiNode(ApiServer server, String name, Duration patience) {
        this.server = server;
        this.name = name;
        this.patience = patience;
    }

    /** A state of the Node, and from where on it can be watched; empty where it cannot be read at all. */
    record Read(NodeFacts facts, String version) {}

    /**
     * Reads it.
     *
     * @return {@link NodeFacts#UNKNOWN} if there is no such Node, or if the agent may not read it
     * @throws IOException if there is no answer
     */
    public NodeFacts read() throws IOException {
        return readVersion().facts();
    }

    Read readVersion() throws IOException {
        HttpResponse<String> response = server.get("/api/v1/nodes/" + encoded());
        if (response.statusCode() == NOT_FOUND || response.statusCode() == FORBIDDEN) {
            return new Read(NodeFacts.UNKNOWN, "");
        }
        if (response.statusCode() != OK) {
            throw new IOException("node " + name + ": the API server says " + response.statusCode());
        }
        JsonNode node = json.readTree(response.body());
        return new Read(
                NodeFacts.of(node),
                node.path("metadata").path("resourceVersion").asText());
    }

    /**
     * Tells of changes until the watch ends.
     *
     * @throws IOException if it breaks off, or is refused
     */
    void watch(String version, Consumer<NodeFacts> changed) throws IOException {
        HttpResponse<InputStream> response = server.open("/api/v1/nodes?watch=1&fieldSelector=metadata.name%3D"
                + encoded() + "&resourceVersion=" + version + "&timeoutSeconds=" + WATCH_SECONDS);
        try (InputStream body = response.body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            if (response.statusCode() != OK) {
                throw new IOException(
                        "node " + name + " cannot be watched: the API server says " + response.statusCode());
            }
            open = Optional.of(body);
            CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
                    .execute(() -> close(body));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode event = json.readTree(line);
                switch (event.path("type").asText()) {
                    case "ADDED", "MODIFIED" -> changed.accept(NodeFacts.of(event.path("object")));
                    case "BOOKMARK" -> {}
                    default -> {
                        return;
                    }
                }
            }
        } finally {
            open = Optional.empty();
        }
    }

    /** Ends a watch that is on. */
    void cancel() {
        open.ifPresent(ApiNode::close);
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // It ended by itself.
        }
    }

    /**
     * Writes annotations of the Node.
     *
     * @param values those that change; an empty value takes one away
     * @throws IOException if there is no answer, or the API server says no
     */
    public void annotate(Map<String, String> values) throws IOException {
        ObjectNode patch = json.createObjectNode();
        ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
        values.forEach((key, value) -> {
            if (value.isEmpty()) {
                annotations.putNull(key);
            } else {
                annotations.put(key, value);
            }
        });
        HttpResponse<String> response = server.patch("/api/v1/nodes/" + encoded(), json.writeValueAsString(patch));
        if (response.statusCode() < OK || response.statusCode() >= MULTIPLE) {
            throw new IOException("node " + name + " is not annotated: the API server says " + response.statusCode()
                    + " " + json.readTree(response.body()).path("message").asText());
        }
    }

    /**
     * Tells people of something, as an event of the Node.
     *
     * @param name of the event, unique
     * @param reason in one word
     * @param warning whether it is more than a note
     * @param at time in RFC 3339
     * @throws IOException if there is no answer, or the API server says no
     */
    public void event(String name, String reason, boolean warning, String text, String at) throws IOException {
        ObjectNode event = json.createObjectNode();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("name", name).put("namespace", "default");
        event.putObject("involvedObject")
                .put("apiVersion", "v1")
                .put("kind", "Node")
                .put("name", this.name)
                .put("uid", this.name);
        event.put("reason", reason)
                .put("message", text)
                .put("type", warning ? "Warning" : "Normal")
                .put("count", 1)
                .put("firstTimestamp", at)
                .put("lastTimestamp", at);
        event.putObject("source").put("component", "sro-agent").put("host", this.name);
        HttpResponse<String> response =
                server.send("POST", "/api/v1/namespaces/default/events", json.writeValueAsString(event));
        if (response.statusCode() < OK || response.statusCode() >= MULTIPLE) {
            throw new IOException("no event: the API server says " + response.statusCode());
        }
    }

    private String encoded() {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
