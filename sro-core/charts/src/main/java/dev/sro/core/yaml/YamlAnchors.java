package dev.sro.core.yaml;

import dev.sro.core.yaml.YamlTree.InvalidTreeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What has an anchor in a document, and copies of it for aliases. Not thread-safe. */
final class YamlAnchors {

    /** Counts a value against what a document may have. */
    interface Counter {
        /** @param line from one */
        void count(int line, int depth);
    }

    /** Null has no other way into a map. */
    private enum Nothing {
        NULL
    }

    /** What has an anchor and is not complete. */
    private static final class Open {}

    private final Counter counter;
    private final Map<String, Object> values = new HashMap<>();

    YamlAnchors(Counter counter) {
        this.counter = counter;
    }

    /** A name counts from where it is written on, and may be given anew further in. */
    Object begin(String anchor) {
        Object mark = new Open();
        if (!anchor.isEmpty()) {
            values.put(anchor, mark);
        }
        return mark;
    }

    void end(String anchor, Object mark, @Nullable Object value) {
        if (values.get(anchor) == mark) {
            values.put(anchor, value == null ? Nothing.NULL : value);
        }
    }

    /** What the alias stands for. */
    @Nullable Object copy(YamlToken alias, int depth) {
        Object value = values.get(alias.value());
        if (value instanceof Open) {
            throw new InvalidTreeException("the anchor " + alias.value() + " contains itself", alias.line());
        }
        if (value == null) {
            throw new InvalidTreeException(
                    "there is no anchor " + alias.value() + " before its alias; put *" + alias.value()
                            + " into quotes if it is a text",
                    alias.line());
        }
        return copy(value, alias.line(), depth);
    }

    private @Nullable Object copy(@Nullable Object value, int line, int depth) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>(map.size() * 2);
            map.forEach((key, item) -> YamlTree.put(copy, String.valueOf(key), counted(item, line, depth + 1)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(item -> copy.add(counted(item, line, depth + 1)));
            return copy;
        }
        return value == Nothing.NULL ? null : value;
    }

    private @Nullable Object counted(@Nullable Object value, int line, int depth) {
        counter.count(line, depth);
        return copy(value, line, depth);
    }
}
