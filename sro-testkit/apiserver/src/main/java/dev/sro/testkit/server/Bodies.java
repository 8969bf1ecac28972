package dev.sro.testkit.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.BuiltinTypes;
import dev.sro.testkit.schema.GoJsonSyntax;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of requests. */
final class Bodies {
    /** Of each group and version ({@code AddToGroupVersion}). */
    private static final Set<String> OPTIONS =
            Set.of("CreateOptions", "DeleteOptions", "ListOptions", "PatchOptions", "UpdateOptions", "WatchEvent");

    /** Groups whose servers know their own kinds alone. */
    private static final Set<String> APART = Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

    /** How much of a body a message shows. */
    private static final int SUMMARY = 30;

    /** What of an object says what it is of. */
    private static final String KIND =
            "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }";

    private static final String END = "unexpected end of JSON input";

    /** What the parser complains of, and where. */
    private static final Pattern YAML_MARK = Pattern.compile("(.*)\n in 'reader', line ([0-9]+), column");

    private static final ObjectReader WITHOUT_DUPLICATES =
            Json.MAPPER.reader().with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final Set<String> MEDIA =
            Set.of("application/json", "application/yaml", "text/yaml", "application/octet-stream", PROTOBUF);

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
        checkMedia(request);
        String media = mediaType(request.contentType());
        if (media.equals(PROTOBUF)) {
            throw mustBe(
                    type,
                    request.body(),
                    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
        }
        ObjectNode body = tree(request.body(), media, type, duplicates);
        if (type.custom() && Json.text(body, "kind").isEmpty()) {
            throw mustBe(type, request.body(), "Object 'Kind' is missing in '" + text(request.body()) + "'");
        }
        String kind = Json.text(body, "kind");
        String apiVersion = Json.text(body, "apiVersion");
        if ((!kind.isEmpty() && !kind.equals(type.kind()))
                || (!apiVersion.equals(type.apiVersion()) && (type.custom() || !apiVersion.isEmpty()))) {
            throw wrongKind(
                    kind.isEmpty() ? type.kind() : kind,
                    apiVersion.isEmpty() && !type.custom() ? type.apiVersion() : apiVersion,
                    Json.name(body),
                    type);
        }
        return body;
    }

    private static ApiException wrongKind(String kind, String apiVersion, String name, ResourceType type) {
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        boolean known = isKnown(apiVersion, version, kind, type);
        if (kind.equals(type.kind()) && (known || type.custom())) {
            return Errors.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + type.apiVersion() + ")");
        }
        if (type.custom() && !apiVersion.equals(type.apiVersion())) {
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
        if (known) {
            return Errors.badRequest(kind + " in version \"" + version + "\" cannot be handled as a " + type.kind()
                    + ": " + noConversion(version, kind, type));
        }
        return Errors.badRequest(kind + " in version \"" + version + "\" cannot be handled as a " + type.kind()
                + ": no kind \"" + kind + "\" is registered for version \"" + apiVersion
                + "\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"");
    }

    private static boolean isKnown(String apiVersion, String version, String kind, ResourceType type) {
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        if (APART.contains(type.gvr().group()) && !group.equals(type.gvr().group())) {
            return false;
        }
        String one = kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind;
        return (apiVersion.equals("v1") && Set.of("List", "Status").contains(kind))
                || BuiltinTypes.known(group, version, one)
                || (OPTIONS.contains(kind) && BuiltinTypes.knownVersion(group, version));
    }

    /** What the server says of an object of another kind than it holds there, with the names of its own types. */
    static String noConversion(String version, String kind, ResourceType type) {
        String group = type.gvr().group();
        // Events of both groups are one type inside.
        String inside = group.isEmpty() || group.equals("events.k8s.io")
                ? "core"
                : group.startsWith("internal.") ? "apiserverinternal" : group.replaceFirst("\\..*", "");
        return "converting (" + version + "." + kind + ") to (" + inside + "." + type.kind() + "): unknown conversion";
    }

    /** Refuses a body that no reader is there for. */
    static void checkMedia(ApiRequest request) {
        String media = mediaType(request.contentType());
        if (!MEDIA.contains(media)) {
            throw new ApiException(
                    415,
                    "UnsupportedMediaType",
                    "the body of the request was in an unknown format - accepted media types include: application/json,"
                            + " application/yaml, application/vnd.kubernetes.protobuf");
        }
    }

    private static ObjectNode tree(byte @Nullable [] body, String media, ResourceType type, List<String> duplicates) {
        JsonNode node;
        try {
            byte[] bytes = body == null ? new byte[0] : body;
            if (media.contains("yaml")) {
                node = GoYaml.read(bytes);
                duplicates.addAll(GoYaml.repeated(bytes));
            } else {
                node = json(bytes, duplicates);
            }
        } catch (IOException e) {
            throw media.contains("yaml")
                    ? mustBe(type, body, "yaml: " + yamlFault(e))
                    : unrecognized(type, body, fault(body, e));
        }
        if (node == null || node.isMissingNode()) {
            throw unrecognized(type, body, END);
        }
        if (node.isNull()) {
            return Json.object();
        }
        if (!(node instanceof ObjectNode object)) {
            throw unrecognized(type, body, "json: cannot unmarshal " + goType(node) + " into Go value of type " + KIND);
        }
        for (String field : List.of("apiVersion", "kind")) {
            JsonNode given = object.path(field);
            if (!given.isMissingNode() && !given.isNull() && !given.isTextual()) {
                throw unrecognized(
                        type,
                        body,
                        "json: cannot unmarshal " + goType(given) + " into Go struct field ." + field
                                + " of type string");
            }
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

    static String goType(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "array";
            case STRING -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            case OBJECT -> "object";
            default -> "null";
        };
    }

    private static String text(byte @Nullable [] body) {
        return body == null ? "" : new String(body, StandardCharsets.UTF_8);
    }

    /** What an object is of is looked for first, and there is none to be found in the body. */
    private static ApiException unrecognized(ResourceType type, byte @Nullable [] body, String why) {
        return mustBe(type, body, "couldn't get version/kind; json parse error: " + why);
    }

    private static ApiException mustBe(ResourceType type, byte @Nullable [] body, String why) {
        byte[] bytes = body == null ? new byte[0] : body;
        byte[] cut = bytes.length > SUMMARY ? Arrays.copyOf(bytes, SUMMARY) : bytes;
        String shown = cut.length > 0 && cut[0] == '{'
                ? new String(cut, StandardCharsets.UTF_8)
                : HexFormat.of().formatHex(cut);
        return Errors.badRequest("the object provided is unrecognized (must be of type " + type.kind() + "): " + why
                + " (" + (bytes.length == 0 ? "<empty>" : shown + (bytes.length > SUMMARY ? " ..." : "")) + ")");
    }

    static JsonNode patch(byte @Nullable [] body) {
        return patch(body, "error decoding patch: ");
    }

    /** The options of a delete, in JSON or in YAML. */
    static JsonNode options(ApiRequest request) {
        byte[] bytes = request.body();
        if (bytes != null && mediaType(request.contentType()).contains("yaml")) {
            try {
                JsonNode node = GoYaml.read(bytes);
                return node == null ? Json.object() : node;
            } catch (IOException e) {
                throw Errors.badRequest("yaml: " + yamlFault(e));
            }
        }
        return patch(bytes, "couldn't get version/kind; json parse error: ");
    }

    /** The body of a JSON patch, merge patch or strategic merge patch; what is wrong with it is said after {@code prefix}. */
    static JsonNode patch(byte @Nullable [] body, String prefix) {
        return patch(body, prefix, new ArrayList<>());
    }

    /** The same; {@code duplicates} gets the paths of fields that are there more than once. */
    static JsonNode patch(byte @Nullable [] body, String prefix, List<String> duplicates) {
        try {
            JsonNode node = json(body == null ? new byte[0] : body, duplicates);
            if (node == null || node.isMissingNode()) {
                throw Errors.badRequest(prefix + END);
            }
            return node;
        } catch (IOException e) {
            throw Errors.badRequest(prefix + fault(body, e));
        }
    }

    /** What the server's parser says of text that is no YAML. */
    private static String yamlFault(IOException e) {
        String text = String.valueOf(e.getMessage());
        Matcher mark = YAML_MARK.matcher(text);
        if (!mark.find()) {
            return text;
        }
        if (text.contains("that cannot start any token")) {
            return "line " + mark.group(2) + ": found character that cannot start any token";
        }
        if (text.contains("expected the node content")) {
            return "line " + mark.group(2) + ": did not find expected node content";
        }
        String problem = mark.group(1)
                .replace("mapping values are not allowed here", "mapping values are not allowed in this context");
        return (mark.group(2).equals("1") ? "" : "line " + mark.group(2) + ": ") + problem;
    }

    /** What the decoder says of text that is no JSON. */
    private static String fault(byte @Nullable [] body, IOException e) {
        return GoJsonSyntax.fault(body == null ? new byte[0] : body)
                .orElseGet(() -> e instanceof JsonProcessingException p
                        ? p.getOriginalMessage()
                        : String.valueOf(e.getMessage()));
    }

    /** The configuration of a server-side apply: YAML, of which JSON is a part. */
    static ObjectNode apply(byte @Nullable [] body, ResourceType type, List<String> duplicates) {
        JsonNode node;
        byte[] bytes = body == null ? new byte[0] : body;
        try {
            node = bytes.length > 0 && bytes[0] == '{' ? Json.MAPPER.readTree(bytes) : GoYaml.read(bytes);
        } catch (IOException e) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            throw Errors.badRequest("error decoding YAML: error converting YAML to JSON: yaml: "
                    + (text.startsWith("{") ? "line 1: did not find expected node content" : yamlFault(e)));
        }
        if (node != null && !(node instanceof ObjectNode) && !node.isMissingNode() && !node.isNull()) {
            throw Errors.badRequest(
                    "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
                            + goType(node) + " into Go value of type map[string]interface {}");
        }
        ObjectNode object = node instanceof ObjectNode o ? o : Json.object();
        try {
            duplicates.addAll(bytes.length > 0 && bytes[0] == '{' ? List.of() : GoYaml.repeated(bytes));
        } catch (IOException e) {
            throw new IllegalStateException("what has been read can be read again", e);
        }
        String apiVersion = Json.text(object, "apiVersion");
        String kind = Json.text(object, "kind");
        if (!apiVersion.equals(type.apiVersion()) || !kind.equals(type.kind())) {
            throw Errors.badRequest("invalid object type: " + Json.kindText(object));
        }
        return object;
    }
}
