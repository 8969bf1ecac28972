package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Brings requests and answers into the form in which those of two servers can be compared. */
final class Normaliser {
    /** What the recorded server has beyond upstream. */
    private static final String FORK = "openshift-service-ca.crt";

    private final Placeholders placeholders;
    private final boolean definitions;
    private final boolean keepManagedFields;
    private final Set<String> savedLists = new HashSet<>();
    private boolean plainVersions;

    Normaliser(String namespace, Map<String, String> environment, boolean definitions, boolean keepManagedFields) {
        this.placeholders = new Placeholders(namespace, environment);
        this.definitions = definitions;
        this.keepManagedFields = keepManagedFields;
    }

    Placeholders placeholders() {
        return placeholders;
    }

    void plainVersions(boolean plain) {
        plainVersions = plain;
    }

    void savedList(String version) {
        savedLists.add(version);
    }

    JsonNode body(@Nullable JsonNode raw) {
        if (raw == null) {
            return NullNode.getInstance();
        }
        JsonNode copy = raw.deepCopy();
        stripFork(copy);
        if (!keepManagedFields) {
            stripManagedFields(copy);
        }
        placeholders.learnAnswer(copy);
        return walk(copy, null);
    }

    private static void stripManagedFields(JsonNode node) {
        if (node instanceof ObjectNode object && object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        node.forEach(Normaliser::stripManagedFields);
    }

    private static void stripFork(JsonNode node) {
        if (node instanceof ObjectNode object) {
            if (object.path("kind").asText().endsWith("List")) {
                drop(object.path("items"), "metadata");
            }
            drop(object.path("sources"), "configMap");
        }
        node.forEach(Normaliser::stripFork);
    }

    private static void drop(JsonNode list, String named) {
        if (list instanceof ArrayNode array) {
            for (int i = array.size() - 1; i >= 0; i--) {
                if (array.path(i).path(named).path("name").asText().equals(FORK)) {
                    array.remove(i);
                }
            }
        }
    }

    JsonNode walk(JsonNode node, @Nullable String key) {
        if (node instanceof ObjectNode object) {
            return walkObject(object);
        }
        if (node.isArray()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> list.add(walk(item, key)));
            return list;
        }
        if (node.isTextual()) {
            return TextNode.valueOf(string(node.asText(), key == null ? "" : key));
        }
        if (node.isInt() && "nodePort".equals(key) && node.asInt() != 0) {
            String port = node.asText();
            return placeholders.isLiteral("nodePort", port)
                    ? node
                    : TextNode.valueOf(placeholders.of("nodePort", port));
        }
        return node;
    }

    private ObjectNode walkObject(ObjectNode given) {
        ObjectNode object = given;
        if (object.path("kind").asText().equals("Table") && object.has("columnDefinitions")) {
            object = withoutAges(object.deepCopy());
        }
        JsonNode metadata = object.path("metadata");
        String version = metadata.path("resourceVersion").asText();
        if (isNumber(version) && isList(object, metadata)) {
            ObjectNode changed = metadata.deepCopy();
            changed.put("resourceVersion", plainVersions ? "<rv>" : placeholders.of("lrv", version));
            object = object.deepCopy();
            object.set("metadata", changed);
        }
        ObjectNode walked = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(e -> {
            String name = placeholders.text(e.getKey());
            walked.set(name, walk(e.getValue(), e.getKey()));
        });
        return walked;
    }

    private static boolean isList(JsonNode object, JsonNode metadata) {
        String kind = object.path("kind").asText();
        return kind.endsWith("List") || kind.equals("Table") || (!metadata.has("uid") && !metadata.has("name"));
    }

    private static ObjectNode withoutAges(ObjectNode table) {
        JsonNode columns = table.path("columnDefinitions");
        for (int i = 0; i < columns.size(); i++) {
            if (columns.path(i).path("name").asText().equals("Age")) {
                for (JsonNode row : table.path("rows")) {
                    ((ArrayNode) row.path("cells")).set(i, "<age>");
                }
            }
        }
        return table;
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private String string(String text, String key) {
        switch (key) {
            case "resourceVersion", "resourceVersionMatchValue" -> {
                if (isNumber(text)) {
                    return version(text);
                }
            }
            case "metadata.resourceVersion" -> {
                return version(text);
            }
            case "value" -> {
                if (placeholders.knows("rv", text)) {
                    return version(text);
                }
            }
            case "storageVersionHash" -> {
                if (definitions) {
                    return "<storageVersionHash>";
                }
            }
            case "continue" -> {
                if (!text.isEmpty()) {
                    return placeholders.isLiteral("continue", text) ? text : placeholders.of("continue", text);
                }
            }
            case "caBundle" -> {
                if (text.length() > 200) {
                    return "<caBundle>";
                }
            }
            default -> {
                // An ordinary text.
            }
        }
        return placeholders.text(text);
    }

    private String version(String text) {
        if (text.isEmpty() || text.equals("0") || placeholders.isLiteral("rv", text)) {
            return text;
        }
        if (savedLists.contains(text)) {
            return placeholders.of("lrv", text);
        }
        return plainVersions ? "<rv>" : placeholders.of("rv", text);
    }
}
