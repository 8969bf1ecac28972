package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Comparison of objects as the API sees it: order of fields does not matter, nor how a number is held. */
final class ObjectComparison {
    private static final Set<String> NOT_SPEC = Set.of("metadata", "status", "apiVersion", "kind");

    private ObjectComparison() {}

    @SuppressWarnings("ReferenceEquality") // a short cut: most of an object is shared between its versions
    static boolean same(@Nullable JsonNode a, @Nullable JsonNode b) {
        if (a == b) {
            return true;
        }
        if (a == null || b == null) {
            return false;
        }
        if (a.isObject()) {
            return b.isObject() && sameFields(a, b);
        }
        if (a.isArray()) {
            if (!b.isArray() || a.size() != b.size()) {
                return false;
            }
            for (int i = 0; i < a.size(); i++) {
                if (!same(a.get(i), b.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (a.isNumber() && b.isNumber()) {
            return a.equals(b) || a.decimalValue().compareTo(b.decimalValue()) == 0;
        }
        return a.equals(b);
    }

    private static boolean sameFields(JsonNode a, JsonNode b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> e : a.properties()) {
            JsonNode other = b.get(e.getKey());
            if (other == null || !same(e.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    /** Whether everything but metadata and status is the same: what generation counts. */
    static boolean sameSpec(ObjectNode a, ObjectNode b) {
        return sameBut(a, b, NOT_SPEC);
    }

    /** Whether all fields but some are the same. */
    static boolean sameBut(ObjectNode a, ObjectNode b, Set<String> but) {
        for (Map.Entry<String, JsonNode> e : a.properties()) {
            if (!but.contains(e.getKey()) && !same(e.getValue(), b.get(e.getKey()))) {
                return false;
            }
        }
        for (Map.Entry<String, JsonNode> e : b.properties()) {
            if (!but.contains(e.getKey()) && !a.has(e.getKey())) {
                return false;
            }
        }
        return true;
    }

    /** Whether two versions of an object are the same but for their resourceVersion. */
    static boolean sameObject(ObjectNode a, ObjectNode b) {
        if (!sameBut(a, b, Set.of("metadata"))) {
            return false;
        }
        return sameBut(Json.metadata(a), Json.metadata(b), Set.of("resourceVersion", "managedFields"));
    }
}
