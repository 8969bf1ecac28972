package dev.sro.testkit.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small helpers on JSON trees. */
final class Json {
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ObjectNode metadata(ObjectNode object) {
        return object.get("metadata") instanceof ObjectNode metadata ? metadata : object.putObject("metadata");
    }

    /** The text at a path; empty if there is none. */
    static String text(JsonNode node, String... path) {
        JsonNode at = node;
        for (String step : path) {
            at = at.path(step);
        }
        return at.isTextual() ? at.textValue() : at.isValueNode() && !at.isNull() ? at.asText() : "";
    }

    /** The elements of a list; none of anything else. */
    static List<JsonNode> elements(JsonNode list) {
        List<JsonNode> elements = new ArrayList<>();
        if (list.isArray()) {
            list.forEach(elements::add);
        }
        return elements;
    }

    /** The texts of a list. */
    static List<String> texts(JsonNode list) {
        return elements(list).stream().map(JsonNode::asText).toList();
    }

    static @Nullable String textOrNull(JsonNode node, String... path) {
        String text = text(node, path);
        return text.isEmpty() ? null : text;
    }

    /** What an object is, or a reference says of one, as the server's language prints it: {@code apps/v1, Kind=Deployment}. */
    static String kindText(JsonNode object) {
        String version = text(object, "apiVersion");
        return (version.contains("/") ? "" : "/") + version + ", Kind=" + text(object, "kind");
    }

    static String name(JsonNode object) {
        return text(object, "metadata", "name");
    }

    static String namespace(JsonNode object) {
        return text(object, "metadata", "namespace");
    }

    static String uid(JsonNode object) {
        return text(object, "metadata", "uid");
    }

    static boolean terminating(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    static boolean isEmpty(@Nullable JsonNode node) {
        return node == null
                || node.isMissingNode()
                || node.isNull()
                || (node.isContainerNode() && node.isEmpty())
                || (node.isTextual() && node.textValue().isEmpty());
    }

    /** A copy of the outermost level; the values are shared. */
    static ObjectNode shallow(ObjectNode node) {
        ObjectNode copy = object();
        for (Map.Entry<String, JsonNode> e : node.properties()) {
            copy.set(e.getKey(), e.getValue());
        }
        return copy;
    }

    /** A copy of the object and of its metadata, spec and status; what is below these is shared. */
    static ObjectNode topCopy(ObjectNode object) {
        ObjectNode copy = object();
        for (Map.Entry<String, JsonNode> e : object.properties()) {
            String field = e.getKey();
            boolean inner = field.equals("metadata") || field.equals("spec") || field.equals("status");
            copy.set(field, inner && e.getValue() instanceof ObjectNode o ? shallow(o) : e.getValue());
        }
        return copy;
    }

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode parse(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
