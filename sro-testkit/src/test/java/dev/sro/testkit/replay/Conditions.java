package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Paths into bodies and the conditions on them, as scenarios write them. */
final class Conditions {
    private static final Pattern PART = Pattern.compile("\\['[^']*'\\]|\\[[^\\]]*\\]|[^.\\[\\]$]+");

    private Conditions() {}

    /** The value at {@code $.a.b[0].c[type=Ready]['x.y']}, null where there is none. */
    static @Nullable JsonNode at(@Nullable JsonNode from, String path) {
        JsonNode at = from;
        Matcher parts = PART.matcher(path);
        while (parts.find() && at != null) {
            at = step(at, parts.group());
            if (at == null || at.isNull()) {
                return null;
            }
        }
        return at;
    }

    private static @Nullable JsonNode step(JsonNode at, String part) {
        if (part.startsWith("['")) {
            return at.get(part.substring(2, part.length() - 2));
        }
        if (!part.startsWith("[")) {
            return at.isObject() ? at.get(part) : null;
        }
        String inner = part.substring(1, part.length() - 1);
        int equals = inner.indexOf('=');
        if (equals < 0) {
            return at.isArray() ? at.get(Integer.parseInt(inner)) : null;
        }
        String key = inner.substring(0, equals);
        String value = inner.substring(equals + 1);
        for (JsonNode item : at) {
            if (item.path(key).asText().equals(value)) {
                return item;
            }
        }
        return null;
    }

    static boolean hold(JsonNode condition, int status, @Nullable JsonNode body) {
        if (condition.has("status") && condition.get("status").asInt() != status) {
            return false;
        }
        if (condition.has("path")
                && !holds(condition, at(body, condition.path("path").asText()))) {
            return false;
        }
        for (JsonNode each : condition.path("all")) {
            if (!hold(each, status, body)) {
                return false;
            }
        }
        JsonNode each = condition.get("each");
        return each == null || each(each, status, body);
    }

    private static boolean each(JsonNode each, int status, @Nullable JsonNode body) {
        List<JsonNode> items = new ArrayList<>();
        JsonNode list = at(body, each.path("list").asText());
        if (list != null) {
            list.forEach(items::add);
        }
        return items.size() >= each.path("min").asInt(1)
                && items.stream().allMatch(i -> hold(each.path("cond"), status, i));
    }

    private static boolean holds(JsonNode condition, @Nullable JsonNode value) {
        JsonNode wanted = condition.get("equals");
        if (wanted != null && !same(wanted, value)) {
            return false;
        }
        JsonNode other = condition.get("not");
        if (other != null && same(other, value)) {
            return false;
        }
        if (condition.has("exists") && condition.get("exists").asBoolean() != (value != null)) {
            return false;
        }
        int size = value == null
                ? 0
                : (int) StreamSupport.stream(value.spliterator(), false).count();
        if (condition.has("len") && condition.get("len").asInt() != size) {
            return false;
        }
        String text = value == null ? "None" : value.isTextual() ? value.asText() : value.toString();
        return !condition.has("contains")
                || text.contains(condition.get("contains").asText());
    }

    private static boolean same(JsonNode wanted, @Nullable JsonNode value) {
        if (value == null) {
            return wanted.isNull();
        }
        if (wanted.isIntegralNumber() && value.isIntegralNumber()) {
            return IntNode.valueOf(wanted.asInt()).equals(IntNode.valueOf(value.asInt()));
        }
        return wanted.equals(value);
    }
}
