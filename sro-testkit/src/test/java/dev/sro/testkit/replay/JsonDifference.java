package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The places at which one tree has something else than another one, with what it has there. */
final class JsonDifference {
    private final List<String> found = new ArrayList<>();

    private JsonDifference() {}

    static List<String> of(JsonNode one, JsonNode other) {
        JsonDifference difference = new JsonDifference();
        difference.compare("", one, other);
        return difference.found;
    }

    private void compare(String path, JsonNode one, JsonNode other) {
        if (one.isObject() && other.isObject()) {
            for (Map.Entry<String, JsonNode> field : one.properties()) {
                compare(path + "." + field.getKey(), field.getValue(), other.path(field.getKey()));
            }
        } else if (one.isArray() && other.isArray() && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                compare(path + "[" + i + "]", one.get(i), other.get(i));
            }
        } else if (!one.equals(other)) {
            found.add(path + "=" + one);
        }
    }
}
