package dev.sro.testkit.merge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sro.testkit.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The path elements of FieldsV1: how list items are named, and how an element reads in a message. */
final class PathElements {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A power of two, larger than the number of different field names and labels in most clusters. */
    private static final AtomicReferenceArray<@Nullable String> RECENT = new AtomicReferenceArray<>(1 << 12);

    private PathElements() {}

    /**
     * The element of a field. Of the same few names thousands of objects are made, so recent elements are handed out again:
     * a hint without meaning, which threads may overwrite for each other.
     */
    static String field(String name) {
        int slot = name.hashCode() & (RECENT.length() - 1);
        String known = RECENT.get(slot);
        if (known != null && known.length() == name.length() + 2 && known.endsWith(name)) {
            return known;
        }
        String element = "f:".concat(name);
        RECENT.set(slot, element);
        return element;
    }

    /** Names an item of a set or map list; null if it cannot be named (see {@link #complaint}). */
    static @Nullable String item(TypeSchema list, JsonNode item) {
        if (list.listKind() == TypeSchema.ListKind.SET) {
            return item.isContainerNode() || item.isNull() ? null : "v:".concat(text(item));
        }
        if (!item.isObject()) {
            return null;
        }
        List<String> keys = list.keys();
        if (keys.size() == 1) {
            String key = keys.get(0);
            JsonNode value = keyValue(list, item, key);
            if (value == null) {
                return isDeclared(list) ? "k:{}" : null;
            }
            return "k:{\"" + key + "\":" + text(value) + "}";
        }
        List<String> parts = new ArrayList<>(keys.size());
        for (String key : keys) {
            JsonNode value = keyValue(list, item, key);
            if (value != null) {
                parts.add("\"" + key + "\":" + text(value));
            }
        }
        if (parts.isEmpty() && !isDeclared(list)) {
            return null;
        }
        Collections.sort(parts);
        return "k:{" + String.join(",", parts) + "}";
    }

    /** Why {@link #item} found no name. */
    static String complaint(TypeSchema list, JsonNode item) {
        if (list.listKind() == TypeSchema.ListKind.SET) {
            if (item.isNull()) {
                return "null is not a valid set element";
            }
            return item.isObject()
                    ? "associative list without keys has an element that's a map type"
                    : "not supported: associative list with lists as elements";
        }
        if (item.isObject()) {
            String keys = list.keys().stream().map(k -> "\"" + k + "\"").collect(Collectors.joining(" "));
            return "associative list with keys has an element that omits all key fields [" + keys
                    + "] (and doesn't have default values for any key fields)";
        }
        return item.isNull()
                ? "associative list with keys may not have a null element"
                : "associative list with keys may not have non-map elements";
    }

    /** Keys of built-in types are empty where they are left out; those of custom ones are not there. */
    private static boolean isDeclared(TypeSchema list) {
        TypeSchema element = list.element();
        return element != null && !element.name().isEmpty();
    }

    private static @Nullable JsonNode keyValue(TypeSchema list, JsonNode item, String key) {
        JsonNode value = item.get(key);
        return value != null ? value : list.keyDefault(key);
    }

    private static String text(JsonNode value) {
        if (value.isTextual()) {
            String s = value.textValue();
            return plain(s)
                    ? "\"" + s + "\""
                    : "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(s)) + "\"";
        }
        return value.toString();
    }

    private static boolean plain(String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    /** The element in the notation of messages: {@code .name}, {@code [name="a"]}, {@code [="x"]}. */
    static String display(String element) {
        String rest = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> "." + rest;
            case 'v' -> "[=" + rest + "]";
            case 'k' -> keys(rest);
            default -> "[" + rest + "]";
        };
    }

    private static String keys(String json) {
        try {
            List<String> parts = new ArrayList<>();
            for (Map.Entry<String, JsonNode> e : JSON.readTree(json).properties()) {
                parts.add(e.getKey() + "=" + e.getValue());
            }
            return "[" + String.join(",", parts) + "]";
        } catch (JsonProcessingException e) {
            return "[" + json + "]";
        }
    }
}
