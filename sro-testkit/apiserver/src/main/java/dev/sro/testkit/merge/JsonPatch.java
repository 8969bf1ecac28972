package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * JSON patch (RFC 6902) with the error answers of a kube-apiserver, and with its one deviation: replacing a missing member of an
 * object adds it. Stateless.
 */
public final class JsonPatch {
    private static final int MAX_OPERATIONS = 10_000;
    private static final Set<String> WORDS = Set.of("op", "path", "from", "value");

    private JsonPatch() {}

    /**
     * Applies the operations to a copy.
     *
     * @throws MergeException 400 for a malformed patch, 422 for one that does not fit the target
     */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        if (patch.isNull()) {
            return target.deepCopy();
        }
        if (!patch.isArray()) {
            throw MergeException.badRequest("error decoding patch: json: cannot unmarshal " + MergePatch.goType(patch)
                    + " into Go value of type []handlers.jsonPatchOp");
        }
        if (patch.size() > MAX_OPERATIONS) {
            throw new MergeException(
                    413,
                    "RequestEntityTooLarge",
                    "The allowed maximum operations in a JSON patch is " + MAX_OPERATIONS + ", got " + patch.size(),
                    List.of());
        }
        patch.forEach(JsonPatch::check);
        JsonNode document = target.deepCopy();
        for (JsonNode operation : patch) {
            document = apply(document, new Operation(operation));
        }
        return document;
    }

    /** What the operations have that no operation has, in the words of the server. */
    public static List<String> unknownWords(JsonNode patch) {
        List<String> unknown = new ArrayList<>();
        for (int i = 0; patch.isArray() && i < patch.size(); i++) {
            for (Map.Entry<String, JsonNode> e : patch.get(i).properties()) {
                if (!WORDS.contains(e.getKey())) {
                    unknown.add("json patch unknown field \"[" + i + "]." + e.getKey() + "\"");
                }
            }
        }
        return unknown;
    }

    /** Each operation is an object whose words are texts. */
    private static void check(JsonNode operation) {
        if (!operation.isObject() && !operation.isNull()) {
            throw MergeException.badRequest("error decoding patch: json: cannot unmarshal "
                    + MergePatch.goType(operation) + " into Go value of type handlers.jsonPatchOp");
        }
        for (String word : List.of("op", "path", "from")) {
            JsonNode given = operation.path(word);
            if (!given.isMissingNode() && !given.isNull() && !given.isTextual()) {
                throw MergeException.badRequest("error decoding patch: json: cannot unmarshal "
                        + MergePatch.goType(given) + " into Go struct field jsonPatchOp." + word + " of type string");
            }
        }
    }

    private static JsonNode apply(JsonNode document, Operation operation) {
        String path = operation.text("path");
        return switch (operation.text("op")) {
            case "add" -> {
                if (path.isEmpty()) {
                    throw refused();
                }
                yield add(document, path, operation.value());
            }
            case "remove" -> {
                remove(document, path);
                yield document;
            }
            case "replace" -> replace(document, path, operation.value());
            case "move" -> {
                JsonNode moved = remove(document, operation.text("from"));
                yield add(document, path, moved);
            }
            case "copy" ->
                add(document, path, copied(document, operation.text("from")).deepCopy());
            case "test" -> {
                test(document, path, operation);
                yield document;
            }
            default -> throw refused();
        };
    }

    private record Operation(JsonNode json) {
        String text(String field) {
            JsonNode value = json.get(field);
            if (value == null || !value.isTextual()) {
                throw refused();
            }
            return value.textValue();
        }

        JsonNode value() {
            JsonNode value = json.get("value");
            return value == null ? NullNode.getInstance() : value.deepCopy();
        }

        @Nullable JsonNode optionalValue() {
            return json.get("value");
        }
    }

    static MergeException refused() {
        return new MergeException(
                422, "Invalid", "the server rejected our request due to an error in our request", List.of());
    }

    private static void test(JsonNode document, String path, Operation operation) {
        JsonNode expected = operation.optionalValue();
        JsonNode actual = lookup(document, tokens(path));
        boolean equal;
        if (expected == null || expected.isNull()) {
            equal = actual == null || actual.isNull();
        } else {
            equal = actual != null && JsonValues.equal(actual, expected);
        }
        if (!equal) {
            throw refused();
        }
    }

    private static JsonNode add(JsonNode document, String path, JsonNode value) {
        return put(
                document,
                path,
                value,
                (array, last) -> array.insert(last.equals("-") ? array.size() : index(last, array.size() + 1), value));
    }

    private static JsonNode replace(JsonNode document, String path, JsonNode value) {
        return put(document, path, value, (array, last) -> array.set(index(last, array.size()), value));
    }

    private static JsonNode put(
            JsonNode document, String path, JsonNode value, BiConsumer<ArrayNode, String> intoArray) {
        List<String> tokens = tokens(path);
        if (tokens.isEmpty()) {
            return value;
        }
        JsonNode parent = parent(document, tokens);
        String last = tokens.get(tokens.size() - 1);
        if (parent instanceof ObjectNode object) {
            object.set(last, value);
        } else if (parent instanceof ArrayNode array) {
            intoArray.accept(array, last);
        }
        return document;
    }

    private static JsonNode remove(JsonNode document, String path) {
        List<String> tokens = tokens(path);
        if (tokens.isEmpty()) {
            throw refused();
        }
        JsonNode parent = parent(document, tokens);
        String last = tokens.get(tokens.size() - 1);
        JsonNode removed = parent instanceof ObjectNode object
                ? object.remove(last)
                : ((ArrayNode) parent).remove(index(last, parent.size()));
        if (removed == null) {
            throw refused();
        }
        return removed;
    }

    /** A missing member of an object is copied as null. */
    private static JsonNode copied(JsonNode document, String path) {
        List<String> tokens = tokens(path);
        JsonNode found = lookup(document, tokens);
        if (found == null && !(parent(document, tokens) instanceof ObjectNode)) {
            throw refused();
        }
        return found == null ? NullNode.getInstance() : found;
    }

    private static JsonNode parent(JsonNode document, List<String> tokens) {
        JsonNode parent = lookup(document, tokens.subList(0, tokens.size() - 1));
        if (parent == null || !parent.isContainerNode()) {
            throw refused();
        }
        return parent;
    }

    private static @Nullable JsonNode lookup(JsonNode document, List<String> tokens) {
        JsonNode node = document;
        for (String token : tokens) {
            JsonNode next = node.isArray() ? node.get(index(token, node.size())) : node.get(token);
            if (next == null) {
                return null;
            }
            node = next;
        }
        return node;
    }

    /** A list index; negative ones count from the end. */
    private static int index(String token, int size) {
        try {
            int index = Integer.parseInt(token);
            int fromStart = index < 0 ? index + size : index;
            if (fromStart >= 0 && fromStart < size) {
                return fromStart;
            }
        } catch (NumberFormatException e) {
            throw refused();
        }
        throw refused();
    }

    private static List<String> tokens(String pointer) {
        List<String> out = new ArrayList<>();
        if (pointer.isEmpty()) {
            return out;
        }
        int slash = pointer.indexOf('/');
        if (slash < 0) {
            throw refused();
        }
        // What stands before the first slash is not looked at.
        for (String token : pointer.substring(slash + 1).split("/", -1)) {
            out.add(token.replace("~1", "/").replace("~0", "~"));
        }
        return out;
    }
}
