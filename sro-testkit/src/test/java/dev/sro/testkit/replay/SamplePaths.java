package dev.sro.testkit.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The samples, and where objects of their kinds are. Stateless. */
final class SamplePaths {
    private static final int OK = 200;

    /**
     * Where objects of a kind are.
     *
     * @param collection path of the collection that they are created in
     * @param subresources of those that are tried, the ones that there are
     */
    record Place(String collection, List<String> subresources) {}

    private SamplePaths() {}

    /** Waits until the server serves what a definition has brought. */
    static void awaitServed(Endpoint server, String collection) {
        for (int i = 0; i < 100; i++) {
            server.pass(Duration.ofMillis(50));
            if (server.call(request("GET", collection, JsonNodeFactory.instance.nullNode()))
                            .status()
                    == OK) {
                return;
            }
        }
        throw new AssertionError(collection + " is not served");
    }

    static List<ObjectNode> samples() throws IOException {
        return samples("samples.yaml");
    }

    /** @param file beside this class, with documents of YAML */
    static List<ObjectNode> samples(String file) throws IOException {
        String text;
        try (InputStream in = Objects.requireNonNull(SamplePaths.class.getResourceAsStream(file))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<ObjectNode> samples = new ArrayList<>();
        for (Map<String, Object> document : Yaml.documents(file, text)) {
            samples.add(Endpoint.JSON.valueToTree(document));
        }
        return samples;
    }

    static ObjectNode named(String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("name", name);
        return object;
    }

    static ObjectNode request(String method, String path, JsonNode body) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        return request.put("method", method).put("path", path).set("body", body);
    }

    static String key(JsonNode object) {
        return object.path("apiVersion").asText() + " " + object.path("kind").asText();
    }

    /** By discovery. */
    static Place of(Endpoint server, JsonNode sample) {
        String version = sample.path("apiVersion").asText();
        String root = (version.contains("/") ? "/apis/" : "/api/") + version;
        JsonNode served = Objects.requireNonNull(
                server.call(request("GET", root, JsonNodeFactory.instance.nullNode()))
                        .body(),
                root);
        String plural = "";
        String collection = "";
        List<String> subresources = new ArrayList<>();
        for (JsonNode resource : served.path("resources")) {
            String name = resource.path("name").asText();
            if (resource.path("kind").equals(sample.path("kind")) && !name.contains("/")) {
                plural = name;
                String namespace = resource.path("namespaced").asBoolean() ? "/namespaces/samples" : "";
                collection = root + namespace + "/" + name;
            }
        }
        for (JsonNode resource : served.path("resources")) {
            for (String one : List.of("status", "scale")) {
                if (resource.path("name").asText().equals(plural + "/" + one)) {
                    subresources.add(one);
                }
            }
        }
        if (collection.isEmpty()) {
            throw new IllegalStateException(key(sample) + " is not served");
        }
        return new Place(collection, subresources);
    }

    /**
     * The request with the version and the uid that the server gave the object.
     *
     * @param path of the object
     */
    static ObjectNode own(ObjectNode request, Endpoint server, String path) {
        String text = request.toString();
        if (!text.contains("<rv>") && !text.contains("<uid>")) {
            return request;
        }
        JsonNode live = server.call(request("GET", path, JsonNodeFactory.instance.nullNode()))
                .body();
        JsonNode metadata = live == null ? JsonNodeFactory.instance.objectNode() : live.path("metadata");
        try {
            return (ObjectNode) Endpoint.JSON.readTree(
                    text.replace("<rv>", metadata.path("resourceVersion").asText("1"))
                            .replace("<uid>", metadata.path("uid").asText("22222222-1111-1111-1111-111111111111")));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
