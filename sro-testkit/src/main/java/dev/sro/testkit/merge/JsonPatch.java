package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON patch (RFC 6902) with the error answers of a kube-apiserver. Stateless. */
public final class JsonPatch {
    private JsonPatch() {}

    /**
     * Applies the operations to a copy.
     *
     * @throws MergeException 400 for a malformed patch, 422 for one that does not fit the target
     */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        return target;
    }
}
