package dev.sro.testkit.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds fields that a JSON object has more than once, in the order in which they are read. Stateless. */
final class DuplicateFields {

    /** An object or array that is open, with where it lies. */
    private static final class Level {
        private final String path;
        private final Set<String> names = new HashSet<>();
        private int index = -1;
        private final boolean array;

        Level(String path, boolean array) {
            this.path = path;
            this.array = array;
        }

        String child(String name) {
            if (array) {
                return path + "[" + index + "]";
            }
            return path.isEmpty() ? name : path + "." + name;
        }
    }

    private DuplicateFields() {}

    /** Paths as the server writes them: {@code spec.ports[0].name}. */
    static List<String> in(byte[] json) throws IOException {
        List<String> found = new ArrayList<>();
        Deque<Level> open = new ArrayDeque<>();
        try (JsonParser parser = Json.MAPPER.createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                Level level = open.peek();
                if (level != null && level.array && token != JsonToken.END_ARRAY) {
                    level.index++;
                }
                if (token == JsonToken.FIELD_NAME && level != null) {
                    if (!level.names.add(parser.currentName())) {
                        found.add(level.child(parser.currentName()));
                    }
                } else if (token.isStructStart()) {
                    String name = parser.currentName();
                    String at = level == null ? "" : level.child(name == null ? "" : name);
                    open.push(new Level(at, token == JsonToken.START_ARRAY));
                } else if (token.isStructEnd()) {
                    open.pop();
                }
            }
        }
        return found;
    }
}
