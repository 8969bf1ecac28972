package dev.sro.core.yaml;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON for files that people look at: two spaces per level, keys in the order of the tree, so that equal trees give equal text. {@link Json} is JSON for
 * programs. Stateless.
 */
public final class IndentedJson {

    private IndentedJson() {}

    /** The tree as text, with a line end after it. */
    public static String write(Map<String, ?> tree) {
        StringBuilder out = new StringBuilder();
        write(tree, 0, out);
        return out.append('\n').toString();
    }

    private static void write(@Nullable Object value, int depth, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            block('{', '}', entries, depth, out, entry -> {
                string(String.valueOf(entry.getKey()), out);
                out.append(": ");
                write(entry.getValue(), depth + 1, out);
            });
        } else if (value instanceof Collection<?> items) {
            block('[', ']', items.iterator(), depth, out, item -> write(item, depth + 1, out));
        } else if (value instanceof Number || value instanceof Boolean || value == null) {
            out.append(value);
        } else {
            string(value.toString(), out);
        }
    }

    private static <T extends @Nullable Object> void block(
            char open,
            char close,
            Iterator<T> items,
            int depth,
            StringBuilder out,
            java.util.function.Consumer<T> each) {
        out.append(open);
        boolean any = items.hasNext();
        while (items.hasNext()) {
            out.append('\n').append("  ".repeat(depth + 1));
            each.accept(items.next());
            if (items.hasNext()) {
                out.append(',');
            }
        }
        if (any) {
            out.append('\n').append("  ".repeat(depth));
        }
        out.append(close);
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
