package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Takes out of answers what is chance or time: orders of maps, versions of lists, whole objects inside of messages. Stateless. */
final class Unordered {
    private static final String PATCH = "patch: Invalid value: ";
    private static final String ERRORS = "errors:\n";

    private Unordered() {}

    static JsonNode of(JsonNode node) {
        if (node.isArray()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> list.add(of(item)));
            return list;
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        node.properties().forEach(e -> object.set(e.getKey(), field(e.getKey(), of(e.getValue()))));
        return object;
    }

    private static JsonNode field(String name, JsonNode value) {
        return switch (name) {
            // Entries are sorted by their times, which are those of the requests.
            case "managedFields", "causes" -> sorted(value);
            case "resourceVersion" -> value.asText().startsWith("<lrv") ? TextNode.valueOf("<lrv>") : value;
            case "message" -> value.isTextual() ? TextNode.valueOf(message(value.asText())) : value;
            default -> value;
        };
    }

    private static JsonNode sorted(JsonNode list) {
        List<JsonNode> items = new ArrayList<>();
        list.forEach(items::add);
        items.sort(Comparator.comparing(Unordered::key));
        ArrayNode ordered = JsonNodeFactory.instance.arrayNode();
        items.forEach(ordered::add);
        return list.isArray() ? ordered : list;
    }

    /** Tells entries apart whatever the order of their fields is. */
    private static String key(JsonNode entry) {
        StringBuilder key = new StringBuilder();
        for (String field : new String[] {"manager", "operation", "subresource", "field", "reason", "message"}) {
            key.append(entry.path(field).asText()).append('|');
        }
        return key.toString();
    }

    private static String message(String text) {
        int patch = text.indexOf(PATCH);
        if (patch >= 0 || text.startsWith("Invalid value: \"{")) {
            return text.substring(0, Math.max(patch, 0)) + "..." + text.substring(text.lastIndexOf("\": ") + 1);
        }
        int errors = text.indexOf(ERRORS);
        return errors < 0
                ? text
                : text.substring(0, errors)
                        + text.substring(errors + ERRORS.length())
                                .lines()
                                .sorted()
                                .collect(Collectors.joining("\n"));
    }
}
