package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Defaults of LimitRanges: what is not said of containers follows from what is. Stateless. */
final class LimitDefaults {
    private LimitDefaults() {}

    static void limitRange(ObjectNode range) {
        for (ObjectNode limit : JsonTree.objects(JsonTree.object(range, "spec"), "limits")) {
            if (JsonTree.text(limit, "type").equals("Container")) {
                copy(limit, "max", "default");
                copy(limit, "default", "defaultRequest");
                copy(limit, "min", "defaultRequest");
            }
        }
    }

    private static void copy(ObjectNode limit, String from, String to) {
        for (Map.Entry<String, JsonNode> one : limit.path(from).properties()) {
            ObjectNode target = JsonTree.ensure(limit, to);
            if (!target.has(one.getKey())) {
                target.set(one.getKey(), one.getValue());
            }
        }
    }
}
