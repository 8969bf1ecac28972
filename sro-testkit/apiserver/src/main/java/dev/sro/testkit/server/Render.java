package dev.sro.testkit.server;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes stored objects as clients see them: with their managedFields, which are kept apart. */
final class Render {
    private Render() {}

    /** A tree with managedFields in its place. Shares everything but the top and the metadata with the store. */
    static ObjectNode tree(Stored stored) {
        ObjectNode copy = Json.shallow(stored.object());
        ObjectNode metadata = Json.shallow(Json.metadata(stored.object()));
        ArrayNode fields = stored.fields().toJson();
        if (!fields.isEmpty()) {
            metadata.set("managedFields", fields);
        }
        copy.set("metadata", metadata);
        return copy;
    }

    static byte[] object(Stored stored) {
        return object(stored, null);
    }

    /** The object, under another apiVersion if one is given. */
    static byte[] object(Stored stored, @Nullable String apiVersion) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = Json.MAPPER.createGenerator(out)) {
            write(json, stored, apiVersion, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** What surrounds the items of a list. */
    record ListHead(
            String kind,
            String apiVersion,
            String resourceVersion,
            @Nullable String continueToken,
            long remaining,
            boolean typedItems) {}

    static byte[] list(ListHead head, List<Stored> items) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256 + items.size() * 1024);
        try (JsonGenerator json = Json.MAPPER.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("kind", head.kind());
            json.writeStringField("apiVersion", head.apiVersion());
            json.writeObjectFieldStart("metadata");
            json.writeStringField("resourceVersion", head.resourceVersion());
            if (head.continueToken() != null || head.typedItems()) {
                // Lists of custom resources write the field even when there is nothing to go on with.
                json.writeStringField("continue", head.continueToken() == null ? "" : head.continueToken());
            }
            if (head.remaining() > 0) {
                json.writeNumberField("remainingItemCount", head.remaining());
            }
            json.writeEndObject();
            json.writeArrayFieldStart("items");
            String version = itemVersion(head.apiVersion());
            for (Stored item : items) {
                write(json, item, version, head.typedItems());
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static String itemVersion(String listApiVersion) {
        return listApiVersion;
    }

    /** The bytes of a watch event around those of its object. */
    static byte[] event(String type, byte[] object) {
        byte[] head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        byte[] all = new byte[head.length + object.length + 1];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(object, 0, all, head.length, object.length);
        all[all.length - 1] = '}';
        return all;
    }

    private static void write(JsonGenerator json, Stored stored, @Nullable String apiVersion, boolean typed)
            throws IOException {
        SerializerProvider provider = Json.MAPPER.getSerializerProviderInstance();
        json.writeStartObject();
        for (Map.Entry<String, JsonNode> e : stored.object().properties()) {
            String field = e.getKey();
            switch (field) {
                case "apiVersion" -> {
                    if (typed) {
                        json.writeStringField(
                                field, apiVersion == null ? e.getValue().asText() : apiVersion);
                    }
                }
                case "kind" -> {
                    if (typed) {
                        json.writeStringField(field, e.getValue().asText());
                    }
                }
                case "metadata" -> {
                    json.writeFieldName(field);
                    writeMetadata(json, provider, e.getValue(), stored);
                }
                default -> {
                    json.writeFieldName(field);
                    write(json, provider, e.getValue());
                }
            }
        }
        json.writeEndObject();
    }

    private static void writeMetadata(JsonGenerator json, SerializerProvider provider, JsonNode metadata, Stored stored)
            throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, JsonNode> e : metadata.properties()) {
            json.writeFieldName(e.getKey());
            write(json, provider, e.getValue());
        }
        if (!stored.fields().isEmpty()) {
            json.writeFieldName("managedFields");
            write(json, provider, stored.fields().toJson());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, SerializerProvider provider, JsonNode node) throws IOException {
        ((com.fasterxml.jackson.databind.node.BaseJsonNode) node).serialize(json, provider);
    }
}
