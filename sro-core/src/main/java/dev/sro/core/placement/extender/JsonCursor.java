package dev.sro.core.placement.extender;

import dev.sro.core.yaml.Json;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Walks through JSON and makes nothing of what is not asked for. What is skipped is not checked beyond its brackets and quotes. Not thread-safe.
 *
 * <p>Every method throws {@link IllegalArgumentException} where the text is not what it says.
 */
final class JsonCursor {
    private final byte[] text;
    private int at;

    JsonCursor(byte[] text) {
        this.text = text;
    }

    /** Where it is: at the first byte of a value, or behind one. */
    int at() {
        return at;
    }

    void jumpTo(int place) {
        at = place;
    }

    /**
     * Walks through an object.
     *
     * @param field is called with each key in lower case, the cursor at its value, which is skipped if it is left there
     */
    void object(Consumer<String> field) {
        take('{');
        if (takes('}')) {
            return;
        }
        do {
            String key = string().toLowerCase(Locale.ROOT);
            take(':');
            space();
            int before = at;
            field.accept(key);
            if (at == before) {
                skip();
            }
        } while (takes(','));
        take('}');
    }

    /**
     * Walks through an array.
     *
     * @param item is called with the cursor at each value, which is skipped if it is left there
     */
    void array(Runnable item) {
        take('[');
        if (takes(']')) {
            return;
        }
        do {
            space();
            int before = at;
            item.run();
            if (at == before) {
                skip();
            }
        } while (takes(','));
        take(']');
    }

    boolean isObject() {
        return peek() == '{';
    }

    boolean isArray() {
        return peek() == '[';
    }

    boolean isString() {
        return peek() == '"';
    }

    /** The text at the cursor. */
    String string() {
        space();
        int from = at;
        skipString();
        String quoted = new String(text, from, at - from, StandardCharsets.UTF_8);
        return quoted.indexOf('\\') < 0 ? quoted.substring(1, quoted.length() - 1) : String.valueOf(Json.read(quoted));
    }

    /** The text at the cursor, or empty where something else is, which is skipped. */
    String stringOrEmpty() {
        if (isString()) {
            return string();
        }
        skip();
        return "";
    }

    /** Goes behind the value at the cursor. */
    void skip() {
        int depth = 0;
        do {
            switch (peek()) {
                case '"' -> skipString();
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                }
                case ',', ':' -> {
                    if (depth == 0) {
                        throw malformed();
                    }
                    at++;
                }
                default -> skipLiteral();
            }
        } while (depth > 0);
        if (depth < 0) {
            throw malformed();
        }
    }

    private void skipLiteral() {
        int from = at;
        while (at < text.length && "{}[],:\" \t\r\n".indexOf(text[at]) < 0) {
            at++;
        }
        if (at == from) {
            throw malformed();
        }
    }

    private void skipString() {
        take('"');
        while (at < text.length) {
            byte next = text[at++];
            if (next == '"') {
                return;
            }
            if (next == '\\') {
                at++;
            }
        }
        throw malformed();
    }

    private byte peek() {
        space();
        if (at >= text.length) {
            throw malformed();
        }
        return text[at];
    }

    private void space() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private boolean takes(char expected) {
        space();
        if (at < text.length && text[at] == expected) {
            at++;
            return true;
        }
        return false;
    }

    private void take(char expected) {
        if (!takes(expected)) {
            throw malformed();
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("the body is no JSON object: something else is expected at byte " + at);
    }
}
