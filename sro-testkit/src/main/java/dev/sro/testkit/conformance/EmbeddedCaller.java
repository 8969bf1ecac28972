package dev.sro.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.ApiResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Calls an embedded cluster. Its controllers work only in {@link #pause}. */
public final class EmbeddedCaller implements HttpCaller {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final EmbeddedCluster cluster;

    public EmbeddedCaller(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Answer call(String method, String path, @Nullable String contentType, @Nullable String body) {
        byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
        ApiRequest request = ApiRequest.of(method, URLDecoder.decode(path, StandardCharsets.UTF_8), contentType, bytes);
        ApiResponse response = cluster.server().handle(request.withUserAgent("conformance"));
        return new Answer(response.status(), tree(response.body()));
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
        cluster.settle();
    }
}
