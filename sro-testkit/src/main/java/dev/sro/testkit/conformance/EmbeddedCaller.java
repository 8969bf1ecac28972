package dev.sro.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.ApiResponse;
import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.WatchSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls an embedded cluster. Its controllers work only in {@link #pause}. */
public final class EmbeddedCaller implements HttpCaller {
    /** Some controllers gather changes for a while. */
    private static final Duration STEP = Duration.ofMillis(200);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final EmbeddedCluster cluster;

    public EmbeddedCaller(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Answer call(String method, String path, @Nullable String contentType, @Nullable String body, Caller by) {
        byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
        ApiRequest request = ApiRequest.of(method, URLDecoder.decode(path, StandardCharsets.UTF_8), contentType, bytes);
        if (by.user() != null) {
            request = request.withIdentity(new ApiRequest.Identity(by.user(), List.of()));
        }
        ApiResponse response =
                cluster.server().handle(request.withToken(by.token()).withUserAgent("conformance"));
        return new Answer(
                response.status(), tree(response.body()), response.headers().getOrDefault("Warning", List.of()));
    }

    @Override
    public List<JsonNode> events(String path) {
        String query = path + (path.contains("?") ? "&" : "?") + "watch=true";
        ApiRequest request = ApiRequest.of("GET", URLDecoder.decode(query, StandardCharsets.UTF_8));
        List<JsonNode> events = new ArrayList<>();
        WatchSink sink = new WatchSink() {
            @Override
            public void event(WatchEvent event) {
                events.add(tree(event.bytes()));
            }

            @Override
            public void end() {
                // What came is in the list.
            }
        };
        try (ApiServer.Watch watch = cluster.server().watch(request, sink)) {
            cluster.settle();
            watch.bookmark();
        }
        return events;
    }

    /** The documents of a stream, one after the other. */
    static List<JsonNode> trees(byte[] stream) {
        try (MappingIterator<JsonNode> documents =
                JSON.readerFor(JsonNode.class).readValues(stream)) {
            return documents.readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode tree(byte[] body) {
        try {
            JsonNode node = JSON.readTree(body);
            return node == null ? MissingNode.getInstance() : node;
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public void pause() {
        if (cluster.clock().isStepped()) {
            cluster.advance(STEP);
        } else {
            cluster.settle();
        }
    }
}
