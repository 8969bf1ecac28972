package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.JsonPatch;
import dev.sro.testkit.merge.MergeException;

/** Applies the JSON patch of admission; unlike for a client's patch, the server says which operation does not fit. Stateless. */
final class WebhookPatch {
    /**
     * What became of an object.
     *
     * @param fault which operation does not fit; empty if all did
     * @param testFailed whether that one is a test
     */
    record Result(JsonNode object, String fault, boolean testFailed) {}

    private WebhookPatch() {}

    static ObjectNode apply(ObjectNode object, JsonNode patch) {
        if (!patch.isArray()) {
            throw Errors.internalError(
                    "json: cannot unmarshal " + Bodies.goType(patch) + " into Go value of type jsonpatch.Patch");
        }
        Result patched = steps(object, patch);
        if (!patched.fault().isEmpty()) {
            throw Errors.internalError(patched.fault());
        }
        if (!(patched.object() instanceof ObjectNode result)) {
            throw Errors.internalError("json: cannot unmarshal " + Bodies.goType(patched.object()) + " into Go value");
        }
        return result;
    }

    /** One operation after the other, up to the first that does not fit. */
    static Result steps(ObjectNode object, JsonNode patch) {
        JsonNode current = object;
        for (JsonNode operation : patch) {
            try {
                current = JsonPatch.apply(current, Json.MAPPER.createArrayNode().add(operation));
            } catch (MergeException e) {
                boolean test = Json.text(operation, "op").equals("test");
                return new Result(current, text(current, operation), test);
            }
        }
        return new Result(current, "", false);
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
