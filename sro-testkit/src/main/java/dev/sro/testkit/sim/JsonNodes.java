package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Short ways to read and build Kubernetes objects as JSON trees. What is absent reads as empty. */
final class JsonNodes {
    private JsonNodes() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static JsonNode at(JsonNode node, String... path) {
        JsonNode cur = node;
        for (String step : path) {
            cur = cur.path(step);
        }
        return cur;
    }

    static String text(JsonNode node, String... path) {
        return at(node, path).asText("");
    }

    static int integer(JsonNode node, int fallback, String... path) {
        return at(node, path).asInt(fallback);
    }

    static boolean bool(JsonNode node, String... path) {
        return at(node, path).asBoolean(false);
    }

    static boolean has(JsonNode node, String... path) {
        JsonNode found = at(node, path);
        return !found.isMissingNode() && !found.isNull();
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

    static String label(JsonNode object, String key) {
        return text(object, "metadata", "labels", key);
    }

    static boolean deleting(JsonNode object) {
        return has(object, "metadata", "deletionTimestamp");
    }

    /** {@code namespace/name}, or the name alone where there is no namespace. */
    static String key(JsonNode object) {
        String ns = namespace(object);
        return ns.isEmpty() ? name(object) : ns + "/" + name(object);
    }

    static String keyNamespace(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? "" : key.substring(0, slash);
    }

    static String keyName(String key) {
        return key.substring(key.indexOf('/') + 1);
    }

    static Map<String, String> strings(JsonNode node, String... path) {
        Map<String, String> out = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> e : at(node, path).properties()) {
            out.put(e.getKey(), e.getValue().asText());
        }
        return out;
    }

    static List<String> texts(JsonNode node, String... path) {
        List<String> out = new ArrayList<>();
        for (JsonNode item : at(node, path)) {
            out.add(item.asText());
        }
        return out;
    }

    /** The child object at a path, made where it is missing. */
    static ObjectNode child(ObjectNode node, String... path) {
        ObjectNode cur = node;
        for (String step : path) {
            JsonNode next = cur.get(step);
            cur = next instanceof ObjectNode o ? o : cur.putObject(step);
        }
        return cur;
    }

    /** The child array at a path, made where it is missing. */
    static ArrayNode array(ObjectNode node, String name) {
        return node.get(name) instanceof ArrayNode a ? a : node.putArray(name);
    }

    /** Sets a number, or removes the field where the number is 0: the API leaves such fields out. */
    static void putUnlessZero(ObjectNode node, String field, int value) {
        if (value == 0) {
            node.remove(field);
        } else {
            node.put(field, value);
        }
    }

    /** The owner reference with {@code controller: true}, or a missing node. */
    static JsonNode controllerOf(JsonNode object) {
        for (JsonNode ref : at(object, "metadata", "ownerReferences")) {
            if (bool(ref, "controller")) {
                return ref;
            }
        }
        return MissingNode.getInstance();
    }

    static ObjectNode ownerReference(JsonNode owner, String apiVersion, String kind) {
        return object().put("apiVersion", apiVersion)
                .put("kind", kind)
                .put("name", name(owner))
                .put("uid", uid(owner))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    /** A time as the API writes it: whole seconds, UTC. */
    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** A time of the API, or null where there is none. */
    static @Nullable Instant instant(JsonNode node, String... path) {
        String text = text(node, path);
        return text.isEmpty() ? null : Instant.parse(text);
    }

    /**
     * Whether a controller has to look at an object of its own after a change: it is new, its spec or its generation is another
     * (annotations of a Deployment count in that, too), or it is being deleted now.
     */
    static boolean revised(@Nullable JsonNode before, JsonNode now) {
        return before == null
                || !same(before.path("spec"), now.path("spec"))
                || !same(at(before, "metadata", "generation"), at(now, "metadata", "generation"))
                || deleting(before) != deleting(now);
    }

    static boolean same(@Nullable JsonNode a, @Nullable JsonNode b) {
        return presence(a).equals(presence(b));
    }

    private static JsonNode presence(@Nullable JsonNode node) {
        return node == null || node.isNull() ? MissingNode.getInstance() : node;
    }
}
