package dev.sro.testkit.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The server under test, over HTTP; how time passes there is the subclass's. */
abstract class Endpoint {
    static final ObjectMapper JSON = new ObjectMapper();

    /** An answer; the body is null where there is none, and a text where it is no JSON. */
    record Reply(int status, @Nullable JsonNode body, String contentType, List<String> warnings) {}

    private final HttpClient http;
    private final URI base;
    private final String token;

    Endpoint(HttpClient http, URI base, String token) {
        this.http = http;
        this.base = base;
        this.token = token;
    }

    /** Lets the server work for a while. */
    abstract void pass(Duration time);

    /** Whether events come at once when time has passed, so that nobody needs to wait for them. */
    abstract boolean stepped();

    static void sleep(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    static Endpoint real(RealCluster cluster) throws GeneralSecurityException, IOException {
        Config config = cluster.config();
        HttpClient trusting = HttpClient.newBuilder()
                .sslContext(SSLUtils.sslContext(config))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        String token = config.getAutoOAuthToken() == null ? config.getOauthToken() : config.getAutoOAuthToken();
        return real(trusting, URI.create(config.getMasterUrl()), token == null ? "" : token);
    }

    static Endpoint real(HttpClient http, URI base, String token) {
        return new Endpoint(http, base, token) {
            @Override
            void pass(Duration time) {
                sleep(time);
            }

            @Override
            boolean stepped() {
                return false;
            }
        };
    }

    private HttpRequest request(JsonNode r) {
        StringBuilder uri = new StringBuilder();
        for (char c : r.path("path").asText().toCharArray()) {
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || "/:~%@-._".indexOf(c) >= 0);
            uri.append(plain ? String.valueOf(c) : encode(String.valueOf(c)));
        }
        String query = query(r.path("query"));
        HttpRequest.Builder b = HttpRequest.newBuilder(base.resolve(uri + (query.isEmpty() ? "" : "?" + query)))
                .timeout(Duration.ofSeconds(60));
        b.header("Accept", r.hasNonNull("accept") ? r.get("accept").asText() : "application/json");
        b.header("User-Agent", r.path("userAgent").asText("recorder"));
        JsonNode own = r.path("token");
        if (!own.isBoolean()) {
            b.header("Authorization", "Bearer " + (own.isTextual() ? own.asText() : token));
        }
        if (r.hasNonNull("as")) {
            b.header("Impersonate-User", r.path("as").path("user").asText());
            r.path("as").path("groups").forEach(g -> b.header("Impersonate-Group", g.asText()));
        }
        JsonNode body = r.path("body");
        boolean has = !body.isMissingNode() && !body.isNull();
        if (has || r.hasNonNull("contentType")) {
            b.header(
                    "Content-Type",
                    r.hasNonNull("contentType") ? r.get("contentType").asText() : "application/json");
        }
        String text = has && body.isTextual() && r.path("raw").asBoolean() ? body.asText() : spaced(body);
        b.method(
                r.path("method").asText("GET"),
                has ? HttpRequest.BodyPublishers.ofString(text) : HttpRequest.BodyPublishers.noBody());
        return b.build();
    }

    /** As the recorder writes bodies; some answers quote them. */
    private static String spaced(JsonNode body) {
        try {
            return JSON.writer(new MinimalPrettyPrinter() {
                        @Override
                        public void writeObjectFieldValueSeparator(JsonGenerator g) throws IOException {
                            g.writeRaw(": ");
                        }

                        @Override
                        public void writeObjectEntrySeparator(JsonGenerator g) throws IOException {
                            g.writeRaw(", ");
                        }

                        @Override
                        public void writeArrayValueSeparator(JsonGenerator g) throws IOException {
                            g.writeRaw(", ");
                        }
                    })
                    .writeValueAsString(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String query(JsonNode query) {
        List<String> parts = new ArrayList<>();
        query.properties().forEach(e -> {
            if (e.getValue().isArray()) {
                e.getValue().forEach(v -> parts.add(encode(e.getKey()) + "=" + encode(v.asText())));
            } else {
                parts.add(encode(e.getKey()) + "=" + encode(e.getValue().asText()));
            }
        });
        return String.join("&", parts);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    Reply call(JsonNode r) {
        try {
            HttpResponse<byte[]> answer = http.send(request(r), HttpResponse.BodyHandlers.ofByteArray());
            return new Reply(
                    answer.statusCode(),
                    tree(answer.body()),
                    answer.headers().firstValue("Content-Type").orElse(""),
                    answer.headers().allValues("Warning"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    static @Nullable JsonNode tree(byte[] raw) {
        if (raw.length == 0) {
            return null;
        }
        try (var parser = JSON.createParser(raw)) {
            JsonNode tree = JSON.readTree(parser);
            if (tree != null && parser.nextToken() == null) {
                return tree;
            }
        } catch (IOException notJson) {
            // Falls through: it is a text.
        }
        return JSON.getNodeFactory().textNode(new String(raw, StandardCharsets.UTF_8));
    }

    WatchStream watch(JsonNode r) {
        WatchStream stream = new WatchStream();
        HttpRequest request = request(r);
        Thread reader = new Thread(() -> stream.read(http, request), "replay-watch");
        reader.setDaemon(true);
        reader.start();
        stream.awaitStart();
        return stream;
    }
}
