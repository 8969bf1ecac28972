package dev.sro.agent.file;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Maps, lists, strings, numbers and booleans as JSON, indented by two. Stateless. */
public final class JsonText {
    private static final char FIRST_PRINTABLE = ' ';

    private JsonText() {}

    /** The text, with a line feed at the end. */
    public static String of(Object value) {
        StringBuilder text = new StringBuilder();
        write(text, value, "\n");
        return text.append('\n').toString();
    }

    private static void write(StringBuilder text, Object value, String line) {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                text.append(separator).append(line).append("  ");
                string(text, String.valueOf(entry.getKey()));
                text.append(": ");
                write(text, entry.getValue(), line + "  ");
                separator = ",";
            }
            text.append(map.isEmpty() ? "{}" : line + "}");
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object element : list) {
                text.append(separator).append(line).append("  ");
                write(text, element, line + "  ");
                separator = ",";
            }
            text.append(list.isEmpty() ? "[]" : line + "]");
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            string(text, value.toString());
        }
    }

    private static void string(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
