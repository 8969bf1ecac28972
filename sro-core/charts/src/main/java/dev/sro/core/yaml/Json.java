package dev.sro.core.yaml;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Trees as JSON that is YAML too: keys sorted, what YAML cannot have in a text is escaped, all else is as it is. And the JSON
 * that we and Helm write, back. Stateless.
 */
public final class Json {

    private static final int HEX = 16;

    private Json() {}

    /** The tree as text. */
    public static String text(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    /** Appends the tree as text. */
    public static void write(@Nullable Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> sorted = new TreeMap<>();
            map.forEach((key, item) -> LenientYaml.putNullable(sorted, String.valueOf(key), item));
            out.append('{');
            String comma = "";
            for (Map.Entry<String, Object> entry : sorted.entrySet()) {
                quote(entry.getKey(), out.append(comma));
                write(entry.getValue(), out.append(": "));
                comma = ", ";
            }
            out.append('}');
        } else if (value instanceof Collection<?> items) {
            out.append('[');
            String comma = "";
            for (Object item : items) {
                write(item, out.append(comma));
                comma = ", ";
            }
            out.append(']');
        } else if (value == null || value instanceof Boolean || isFinite(value)) {
            out.append(value);
        } else {
            quote(value.toString(), out);
        }
    }

    private static boolean isFinite(Object value) {
        return value instanceof Number number && Double.isFinite(number.doubleValue());
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                out.append(c).append(text.charAt(++i));
            } else if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff || c > 0xfffd) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(Character.isSurrogate(c) ? '\ufffd' : c);
            }
        }
        out.append('"');
    }

    /**
     * Reads what this class or Go's encoding/json wrote. A null in a map is left out.
     *
     * @throws IllegalStateException if it is something else
     */
    public static @Nullable Object read(String text) {
        Reader reader = new Reader(text);
        return reader.value();
    }

    private static final class Reader {
        private static final int MAX_DEPTH = 200;

        private final String text;
        private int at;
        private int depth;

        Reader(String text) {
            this.text = text;
        }

        @Nullable Object value() {
            skipSpace();
            char c = next();
            return switch (c) {
                case '{' -> map();
                case '[' -> list();
                case '"' -> string();
                default -> {
                    at--;
                    yield literal();
                }
            };
        }

        private Map<String, Object> map() {
            deeper();
            Map<String, Object> map = new TreeMap<>();
            while (peekNot('}')) {
                expect('"');
                String key = string();
                expect(':');
                Object value = value();
                if (value != null) {
                    map.put(key, value);
                }
                skipComma();
            }
            depth--;
            return map;
        }

        private List<@Nullable Object> list() {
            deeper();
            List<@Nullable Object> list = new ArrayList<>();
            while (peekNot(']')) {
                list.add(value());
                skipComma();
            }
            depth--;
            return list;
        }

        private void deeper() {
            if (++depth > MAX_DEPTH) {
                throw malformed();
            }
        }

        private @Nullable Object literal() {
            int from = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(from, at);
            try {
                return switch (word) {
                    case "null" -> null;
                    case "true" -> true;
                    case "false" -> false;
                    default -> word.matches("-?\\d{1,18}") ? (Number) Long.valueOf(word) : new BigDecimal(word);
                };
            } catch (NumberFormatException e) {
                throw malformed();
            }
        }

        private void skipSpace() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (char c = next(); c != '"'; c = next()) {
                out.append(c == '\\' ? escaped(next()) : c);
            }
            return out.toString();
        }

        private char escaped(char c) {
            return switch (c) {
                case 'n' -> '\n';
                case 't' -> '\t';
                case 'r' -> '\r';
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'u' -> {
                    at += 4;
                    if (at > text.length()) {
                        throw malformed();
                    }
                    yield (char) Integer.parseInt(text.substring(at - 4, at), HEX);
                }
                default -> c;
            };
        }

        private char next() {
            if (at >= text.length()) {
                throw malformed();
            }
            return text.charAt(at++);
        }

        private boolean peekNot(char end) {
            skipSpace();
            if (next() == end) {
                return false;
            }
            at--;
            return true;
        }

        private void expect(char c) {
            skipSpace();
            if (next() != c) {
                throw malformed();
            }
        }

        private void skipComma() {
            skipSpace();
            if (next() != ',') {
                at--;
            }
        }

        private IllegalStateException malformed() {
            return new IllegalStateException("JSON is cut off or malformed at " + at);
        }
    }
}
