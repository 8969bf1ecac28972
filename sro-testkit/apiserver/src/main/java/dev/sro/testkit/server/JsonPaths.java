package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JSON paths of printer columns: fields, indexes, and a filter by one equality. */
final class JsonPaths {
    private static final Pattern STEP = Pattern.compile(
            "\\.?([A-Za-z0-9_-]+)|\\[(\\d+|\\*)]|\\[\\?\\(@\\.([\\w.]+)\\s*==\\s*['\"]([^'\"]*)['\"]\\)]|\\['([^']+)']");

    private JsonPaths() {}

    static JsonNode at(JsonNode object, String path) {
        Matcher step = STEP.matcher(path);
        JsonNode at = object;
        int end = 0;
        while (step.find() && step.start() == end) {
            end = step.end();
            at = next(at, step);
        }
        return end == path.length() ? at : MissingNode.getInstance();
    }

    private static JsonNode next(JsonNode at, Matcher step) {
        if (step.group(1) != null) {
            return at.path(step.group(1));
        }
        if (step.group(2) != null) {
            // Of several values a column shows the first.
            return at.path(step.group(2).equals("*") ? 0 : Integer.parseInt(step.group(2)));
        }
        if (step.group(5) != null) {
            return at.path(step.group(5));
        }
        for (JsonNode item : at) {
            if (Json.text(item, step.group(3)).equals(step.group(4))) {
                return item;
            }
        }
        return MissingNode.getInstance();
    }
}
