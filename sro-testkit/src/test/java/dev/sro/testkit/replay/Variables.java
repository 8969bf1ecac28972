package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Saved values and their places in scenarios: {@code ${name}}. */
final class Variables {
    private static final Pattern PLACE = Pattern.compile("\\$\\{([\\w.-]+)\\}");

    private final Map<String, JsonNode> values = new HashMap<>();

    void put(String name, String value) {
        values.put(name, TextNode.valueOf(value));
    }

    void put(String name, @Nullable JsonNode value) {
        values.put(name, value == null ? NullNode.getInstance() : value);
    }

    /** The same with every place filled; a text that is nothing but a place becomes the value itself. */
    JsonNode fill(JsonNode node) {
        if (node.isTextual()) {
            Matcher whole = PLACE.matcher(node.asText());
            if (whole.matches()) {
                return value(whole.group(1)).deepCopy();
            }
            return TextNode.valueOf(whole.replaceAll(
                    m -> Matcher.quoteReplacement(value(m.group(1)).asText())));
        }
        if (node.isObject()) {
            ObjectNode filled = JsonNodeFactory.instance.objectNode();
            node.properties()
                    .forEach(e -> filled.set(fill(TextNode.valueOf(e.getKey())).asText(), fill(e.getValue())));
            return filled;
        }
        if (node.isArray()) {
            ArrayNode filled = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> filled.add(fill(item)));
            return filled;
        }
        return node;
    }

    private JsonNode value(String name) {
        JsonNode value = values.get(name);
        if (value == null) {
            throw new IllegalStateException("nothing was saved as " + name);
        }
        return value;
    }
}
