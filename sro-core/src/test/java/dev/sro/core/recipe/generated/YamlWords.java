package dev.sro.core.recipe.generated;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Writes a tree as YAML with any quotes, indentation, comments, anchors and order of keys. Lives for one document. */
final class YamlWords {

    private static final Set<String> RESERVED =
            Set.of("yes", "no", "on", "off", "y", "n", "true", "false", "null", "nan", "inf");

    private final Random random;
    private final Function<Word.Part, String> texts;
    private final List<String> arguments;
    private final Map<Object, String> anchors = new HashMap<>();
    private final int step;

    /**
     * @param texts what stands there for a part of a text
     * @param arguments how the arguments of the special resource are listed: the beginning of the loop, name and value
     */
    YamlWords(Random random, Function<Word.Part, String> texts, List<String> arguments) {
        this.random = random;
        this.texts = texts;
        this.arguments = arguments;
        this.step = random.nextInt(4) == 0 ? 4 : 2;
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    /** On lines of their own. */
    void block(StringBuilder out, Map<String, Object> map, int indent) {
        for (String key : keys(map)) {
            Object value = map.getOrDefault(key, "");
            String line = " ".repeat(indent) + key(key) + ":";
            if (chance(30)) {
                out.append(" ".repeat(indent)).append("# before ").append(key).append('\n');
            }
            if (key.equals("name") && chance(40)) {
                out.append(line).append(" overwritten\n");
            }
            out.append(line);
            value(out, value, indent);
        }
    }

    private List<String> keys(Map<String, Object> map) {
        List<String> keys = new ArrayList<>(new TreeMap<>(map).keySet());
        if (chance(6)) {
            Collections.shuffle(keys, random);
        }
        return keys;
    }

    private String key(String key) {
        return switch (random.nextInt(12)) {
            case 0 -> "\"" + key + "\"";
            case 1 -> "'" + key + "'";
            default -> key;
        };
    }

    private void value(StringBuilder out, Object value, int indent) {
        if (value instanceof Word word) {
            out.append(' ').append(word(word, indent)).append('\n');
        } else if (value instanceof Item.Arguments) {
            String in = " ".repeat(indent + 2);
            out.append('\n').append(arguments.get(0)).append('\n');
            out.append(in).append("- name: \"").append(arguments.get(1)).append("\"\n");
            out.append(in).append("  value: \"").append(arguments.get(2)).append("\"\n{{- end }}\n");
        } else if (value instanceof Map<?, ?> map) {
            map(out, cast(map), indent);
        } else if (value instanceof List<?> list) {
            list(out, list, indent);
        } else {
            out.append(' ').append(value).append('\n');
        }
    }

    private void map(StringBuilder out, Map<String, Object> map, int indent) {
        String known = anchors.get(map);
        if (known != null && chance(2)) {
            out.append(" *").append(known).append('\n');
            return;
        }
        out.append(anchor(map));
        if (map.isEmpty() || chance(8)) {
            out.append(' ').append(flow(map)).append('\n');
        } else {
            out.append(chance(20) ? " # of this" : "").append('\n');
            block(out, map, indent + step);
        }
    }

    private String anchor(Map<String, Object> map) {
        if (map.isEmpty() || !chance(6) || anchors.containsKey(map)) {
            return "";
        }
        String name = "a" + anchors.size();
        // What is in it is written first; one that is in itself there is none.
        anchors.put(map, name);
        return " &" + name;
    }

    private void list(StringBuilder out, List<?> list, int indent) {
        if (list.isEmpty() || chance(6)) {
            out.append(' ').append(flow(list)).append('\n');
            return;
        }
        out.append('\n');
        int in = chance(3) ? indent : indent + step;
        for (Object item : list) {
            out.append(" ".repeat(in)).append('-');
            if (item instanceof Map<?, ?> map && !map.isEmpty()) {
                StringBuilder inside = new StringBuilder();
                block(inside, cast(map), in + 2);
                // The first key stands behind the dash; a comment before it would as well.
                out.append(
                        inside.toString().stripLeading().startsWith("#")
                                ? "\n" + inside
                                : " " + inside.substring(in + 2));
            } else {
                value(out, item, in);
            }
        }
    }

    /** On one line. */
    String flow(Object value) {
        if (value instanceof Word word) {
            return quoted(word);
        }
        if (value instanceof Item.Arguments) {
            return "[" + arguments.get(0).replace("{{-", "{{") + "{name: \"" + arguments.get(1) + "\", value: \""
                    + arguments.get(2) + "\"},{{ end }}]";
        }
        if (value instanceof Map<?, ?> map) {
            List<String> entries = new ArrayList<>();
            for (String key : keys(cast(map))) {
                entries.add(key(key) + ": " + flow(cast(map).getOrDefault(key, "")));
            }
            return "{" + String.join(chance(3) ? ",  " : ", ", entries) + "}";
        }
        if (value instanceof List<?> list) {
            return "[" + String.join(", ", list.stream().map(this::flow).toList())
                    + (chance(8) && !list.isEmpty() ? ",]" : "]");
        }
        return String.valueOf(value);
    }

    private String word(Word word, int indent) {
        String raw = raw(word);
        boolean simple = word.parts().stream().allMatch(part -> part instanceof Word.Plain)
                && raw.matches("[A-Za-z/][A-Za-z0-9./_-]*")
                && !RESERVED.contains(raw.toLowerCase(java.util.Locale.ROOT));
        if (simple && !chance(4)) {
            return raw + (chance(25) ? "   # a comment" : "");
        }
        boolean lines = raw.indexOf('\n') > 0
                && !raw.startsWith(" ")
                && !raw.endsWith("\n\n")
                && raw.chars().noneMatch(c -> c == '\t');
        if (lines && chance(2)) {
            return literal(word, raw.endsWith("\n"), indent + step);
        }
        return quoted(word);
    }

    private String literal(Word word, boolean ended, int indent) {
        StringBuilder text = new StringBuilder();
        word.parts().forEach(part -> text.append(texts.apply(part)));
        StringBuilder out = new StringBuilder(ended ? "|" : "|-");
        text.toString()
                .lines()
                .forEach(line -> out.append('\n').append(line.isEmpty() ? "" : " ".repeat(indent) + line));
        return out.toString();
    }

    private String quoted(Word word) {
        String raw = raw(word);
        boolean single = raw.chars().noneMatch(c -> c == '\n' || c == '\t') && chance(2);
        StringBuilder text = new StringBuilder();
        for (Word.Part part : word.parts()) {
            if (part instanceof Word.Plain plain) {
                String quoted = single
                        ? plain.text().replace("'", "''")
                        : plain.text()
                                .replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("\n", "\\n")
                                .replace("\t", "\\t");
                text.append(texts.apply(new Word.Plain(quoted)));
            } else {
                text.append(texts.apply(part));
            }
        }
        return single ? "'" + text + "'" : "\"" + text + "\"";
    }

    private static String raw(Word word) {
        StringBuilder text = new StringBuilder();
        word.parts().forEach(part -> text.append(part instanceof Word.Plain plain ? plain.text() : "v"));
        return text.toString();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
