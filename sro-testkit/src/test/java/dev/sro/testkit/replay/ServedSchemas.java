package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashMap;
import java.util.Map;

/** The schemas of kinds, as a server publishes them under {@code /openapi/v3}. Reads each document once. Not for several threads. */
final class ServedSchemas {
    private final Endpoint server;
    private final Map<String, JsonNode> documents = new HashMap<>();

    ServedSchemas(Endpoint server) {
        this.server = server;
    }

    /** Of the kind of an object, or a missing node. */
    JsonNode of(JsonNode object) {
        String apiVersion = object.path("apiVersion").asText();
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String version = apiVersion.substring(slash + 1);
        for (JsonNode schema : document(apiVersion).path("components").path("schemas")) {
            for (JsonNode kind : schema.path("x-kubernetes-group-version-kind")) {
                if (kind.path("group").asText().equals(group)
                        && kind.path("version").asText().equals(version)
                        && kind.path("kind").equals(object.path("kind"))) {
                    return schema;
                }
            }
        }
        return MissingNode.getInstance();
    }

    private JsonNode document(String apiVersion) {
        return documents.computeIfAbsent(apiVersion, version -> {
            String path = "/openapi/v3" + (version.contains("/") ? "/apis/" : "/api/") + version;
            JsonNode body = server.call(SamplePaths.request("GET", path, JsonNodeFactory.instance.nullNode()))
                    .body();
            return body == null ? MissingNode.getInstance() : body;
        });
    }

    /** What a schema of the document of a version refers to, or the schema itself. */
    JsonNode resolved(String apiVersion, JsonNode schema) {
        JsonNode reference = schema.has("$ref") ? schema : schema.path("allOf").path(0);
        if (!reference.has("$ref")) {
            return schema;
        }
        String name = reference.path("$ref").asText().replace("#/components/schemas/", "");
        return document(apiVersion).path("components").path("schemas").path(name);
    }

    /** Of an item of a list, or of any value of a map. */
    JsonNode element(String apiVersion, JsonNode schema) {
        JsonNode element = schema.has("items") ? schema.path("items") : schema.path("additionalProperties");
        return resolved(apiVersion, element);
    }
}
