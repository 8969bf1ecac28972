package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.JsonPatch;
import dev.sro.testkit.merge.MergeException;

/** Applies the JSON patch of a webhook; unlike for a client's patch, the server says which operation does not fit. Stateless. */
final class WebhookPatch {
    private WebhookPatch() {}

    static ObjectNode apply(ObjectNode object, JsonNode patch) {
        if (!patch.isArray()) {
            throw Errors.internalError(
                    "json: cannot unmarshal " + Bodies.goType(patch) + " into Go value of type jsonpatch.Patch");
        }
        JsonNode current = object;
        for (JsonNode operation : patch) {
            try {
                current = JsonPatch.apply(current, Json.MAPPER.createArrayNode().add(operation));
            } catch (MergeException e) {
                throw Errors.internalError(text(current, operation));
            }
        }
        if (!(current instanceof ObjectNode result)) {
            throw Errors.internalError("json: cannot unmarshal " + Bodies.goType(current) + " into Go value");
        }
        return result;
    }

    private static String text(JsonNode document, JsonNode operation) {
        String op = Json.text(operation, "op");
        String path = Json.text(operation, "path");
        if (op.equals("test")) {
            return "testing value " + path + " failed: test failed";
        }
        int slash = path.lastIndexOf('/');
        boolean parent = slash >= 0 && !document.at(path.substring(0, slash)).isMissingNode();
        if (op.equals("remove") && parent) {
            return "error in remove for path: '" + path + "': Unable to remove nonexistent key: "
                    + path.substring(slash + 1) + ": missing value";
        }
        return op + " operation does not apply: doc is missing path: \"" + path + "\": missing value";
    }
}
