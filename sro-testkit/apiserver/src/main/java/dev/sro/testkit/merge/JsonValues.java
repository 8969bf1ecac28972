package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Comparison of JSON values as the API server does it: numbers by value, maps without order. */
final class JsonValues {
    private JsonValues() {}

    @SuppressWarnings("ReferenceEquality") // a short cut
    static boolean equal(JsonNode a, JsonNode b) {
        if (a == b) {
            return true;
        }
        if (a.isNumber() && b.isNumber()) {
            return a.equals(b) || a.decimalValue().compareTo(b.decimalValue()) == 0;
        }
        if (a.getNodeType() != b.getNodeType() || a.size() != b.size()) {
            return false;
        }
        if (a.isObject()) {
            for (Map.Entry<String, JsonNode> e : a.properties()) {
                JsonNode other = b.get(e.getKey());
                if (other == null || !equal(e.getValue(), other)) {
                    return false;
                }
            }
            return true;
        }
        if (a.isArray()) {
            for (int i = 0; i < a.size(); i++) {
                if (!equal(a.get(i), b.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return a.equals(b);
    }

    /** The node if it is a map; null and absent count as absent. */
    static @Nullable JsonNode map(@Nullable JsonNode node) {
        return node != null && node.isObject() ? node : null;
    }

    /** The node if it is a list. */
    static @Nullable JsonNode list(@Nullable JsonNode node) {
        return node != null && node.isArray() ? node : null;
    }

    static boolean empty(@Nullable JsonNode container) {
        return container == null || container.isEmpty();
    }
}
