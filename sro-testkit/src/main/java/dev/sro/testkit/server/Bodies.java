package dev.sro.testkit.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of requests. */
final class Bodies {
    private static final YAMLMapper YAML = new YAMLMapper();

    private static final ObjectReader WITHOUT_DUPLICATES =
            Json.MAPPER.reader().with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    private Bodies() {}

    static String mediaType(@Nullable String contentType) {
        if (contentType == null || contentType.isBlank()) {
            return "application/json";
        }
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).trim();
    }

    /** The object of a POST or PUT; its kind is checked against the type. */
    static ObjectNode object(ApiRequest request, ResourceType type) {
        return object(request, type, new ArrayList<>());
    }

    /**
     * Like {@link #object(ApiRequest, ResourceType)}.
     *
     * @param duplicates gets the paths of fields that are there more than once (in JSON)
     */
    static ObjectNode object(ApiRequest request, ResourceType type, List<String> duplicates) {
        String media = mediaType(request.contentType());
        ObjectNode body = tree(request.body(), media, type, duplicates);
        String kind = Json.text(body, "kind");
        String apiVersion = Json.text(body, "apiVersion");
        if ((!kind.isEmpty() && !kind.equals(type.kind()))
                || (!apiVersion.isEmpty() && !apiVersion.equals(type.apiVersion()))) {
            throw wrongKind(
                    kind.isEmpty() ? type.kind() : kind,
                    apiVersion.isEmpty() ? type.apiVersion() : apiVersion,
                    Json.name(body),
                    type);
        }
        return body;
    }

    private static ApiException wrongKind(String kind, String apiVersion, String name, ResourceType type) {
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        if (kind.equals(type.kind())) {
            return Errors.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + type.apiVersion() + ")");
        }
        if (type.custom()) {
            return Errors.invalid(
                    type.gvr().group(),
                    kind,
                    name,
                    List.of(MetadataRules.invalid("kind", "\"" + kind + "\"", "must be " + type.kind())));
        }
        return Errors.badRequest(kind + " in version \"" + version + "\" cannot be handled as a " + type.kind()
                + ": no kind \"" + kind + "\" is registered for version \"" + apiVersion
                + "\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"");
    }

    private static ObjectNode tree(byte @Nullable [] body, String media, ResourceType type, List<String> duplicates) {
        if (!List.of("application/json", "application/yaml", "text/yaml", "application/octet-stream", "*/*")
                .contains(media)) {
            throw new ApiException(
                    415,
                    "UnsupportedMediaType",
                    "the body of the request was in an unknown format - accepted media types include: application/json,"
                            + " application/yaml, application/vnd.kubernetes.protobuf");
        }
        JsonNode node;
        try {
            byte[] bytes = body == null ? new byte[0] : body;
            node = media.contains("yaml") ? YAML.readTree(bytes) : json(bytes, duplicates);
        } catch (IOException e) {
            throw cannotBeRead(type, e);
        }
        if (!(node instanceof ObjectNode object)) {
            throw Errors.badRequest(cannot(type)
                    + (node == null || node.isMissingNode()
                            ? "unexpected end of JSON input"
                            : "json: cannot unmarshal " + goType(node)
                                    + " into Go value of type map[string]interface {}"));
        }
        return object;
    }

    /** Looks for duplicates only in a body that has some: that costs nothing on the way. */
    private static JsonNode json(byte[] bytes, List<String> duplicates) throws IOException {
        try {
            return WITHOUT_DUPLICATES.readTree(bytes);
        } catch (MismatchedInputException e) {
            JsonNode node = Json.MAPPER.readTree(bytes);
            duplicates.addAll(DuplicateFields.in(bytes));
            return node;
        }
    }

    private static String goType(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "array";
            case STRING -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            default -> "null";
        };
    }

    private static String cannot(ResourceType type) {
        return type.kind() + " in version \"" + type.gvr().version() + "\" cannot be handled as a " + type.kind()
                + ": ";
    }

    private static ApiException cannotBeRead(ResourceType type, IOException e) {
        String why = e instanceof JsonProcessingException p ? p.getOriginalMessage() : e.getMessage();
        ApiException refusal = Errors.badRequest(cannot(type) + why);
        return refusal;
    }

    /** The body of a JSON patch, merge patch or strategic merge patch. */
    static JsonNode patch(byte @Nullable [] body) {
        try {
            JsonNode node = Json.MAPPER.readTree(body == null ? new byte[0] : body);
            if (node == null || node.isMissingNode()) {
                throw Errors.badRequest("error decoding patch: unexpected end of JSON input");
            }
            return node;
        } catch (IOException e) {
            throw Errors.badRequest("error decoding patch: " + e.getMessage());
        }
    }

    /** The configuration of a server-side apply: YAML, of which JSON is a part. */
    static ObjectNode apply(byte @Nullable [] body, ResourceType type) {
        JsonNode node;
        byte[] bytes = body == null ? new byte[0] : body;
        try {
            node = bytes.length > 0 && bytes[0] == '{' ? Json.MAPPER.readTree(bytes) : YAML.readTree(bytes);
        } catch (IOException e) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            throw Errors.badRequest("error decoding YAML: error converting YAML to JSON: yaml: "
                    + (text.startsWith("{") ? "line 1: did not find expected node content" : e.getMessage()));
        }
        if (node != null && !(node instanceof ObjectNode) && !node.isMissingNode() && !node.isNull()) {
            throw Errors.badRequest(
                    "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
                            + goType(node) + " into Go value of type map[string]interface {}");
        }
        ObjectNode object = node instanceof ObjectNode o ? o : Json.object();
        String apiVersion = Json.text(object, "apiVersion");
        String kind = Json.text(object, "kind");
        if (!apiVersion.equals(type.apiVersion()) || !kind.equals(type.kind())) {
            String shown = apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
            throw Errors.badRequest("invalid object type: " + shown + ", Kind=" + kind);
        }
        return object;
    }
}
