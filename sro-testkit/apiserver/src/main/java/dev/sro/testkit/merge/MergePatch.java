package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** JSON merge patch (RFC 7386). Stateless. */
public final class MergePatch {
    private MergePatch() {}

    /** Applies the patch to a copy. */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        return merge(target.deepCopy(), patch);
    }

    /**
     * The patch body as an object.
     *
     * @throws MergeException 400 with the server's text if it is none
     */
    public static ObjectNode requireObject(JsonNode patch) {
        if (patch instanceof ObjectNode object) {
            return object;
        }
        throw MergeException.badRequest("error decoding patch: json: cannot unmarshal " + goType(patch)
                + " into Go value of type map[string]interface {}");
    }

    private static JsonNode merge(JsonNode target, JsonNode patch) {
        if (!(target instanceof ObjectNode out)) {
            return pruned(patch.deepCopy());
        }
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        for (Map.Entry<String, JsonNode> e : patch.properties()) {
            JsonNode old = out.get(e.getKey());
            if (e.getValue().isNull()) {
                out.remove(e.getKey());
            } else {
                out.set(e.getKey(), merge(old == null ? JsonNodeFactory.instance.nullNode() : old, e.getValue()));
            }
        }
        return out;
    }

    /** What has nothing to be merged into loses its nulls, in lists too; those that are items of a list stay. */
    private static JsonNode pruned(JsonNode added) {
        if (added instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        added.forEach(MergePatch::pruned);
        return added;
    }

    /** The name of a JSON type in the server's messages. */
    static String goType(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "array";
            case OBJECT -> "object";
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            default -> "null";
        };
    }
}
