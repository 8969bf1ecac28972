package dev.sro.core.yaml;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Trees as YAML that people and programs read, such as the manifest in the record of a release: keys in the order of the tree, texts on
 * one line, which YAML 1.1 and 1.2 read alike. Equal trees give equal text; {@link YamlWriter} writes for people alone. Stateless.
 */
public final class PlainYaml {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_/][A-Za-z0-9_./-]*");

    private PlainYaml() {}

    /** The tree as text. */
    public static String write(Map<String, ?> tree) {
        StringBuilder out = new StringBuilder();
        map(tree, "", out);
        return out.toString();
    }

    private static void map(Map<?, ?> map, String indent, StringBuilder out) {
        map.forEach((key, value) -> {
            out.append(indent).append(scalar(String.valueOf(key))).append(':');
            value(value, indent, out);
        });
    }

    private static void value(Object value, String indent, StringBuilder out) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append('\n');
            map(map, indent + "  ", out);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            out.append('\n');
            list(list, indent, out);
        } else {
            out.append(' ').append(scalar(value)).append('\n');
        }
    }

    private static void list(List<?> list, String indent, StringBuilder out) {
        for (Object item : list) {
            if (item instanceof Map<?, ?> map && !map.isEmpty()) {
                StringBuilder inner = new StringBuilder();
                map(map, indent + "  ", inner);
                out.append(indent).append("- ").append(inner, indent.length() + 2, inner.length());
            } else {
                out.append(indent).append('-').append(' ').append(scalar(item)).append('\n');
            }
        }
    }

    /** Plain where nobody can take it for something else, else as JSON, which is YAML. */
    private static String scalar(Object value) {
        return value instanceof String text && PLAIN.matcher(text).matches() && !PlainScalars.areNoText(text)
                ? text
                : Json.text(value);
    }
}
