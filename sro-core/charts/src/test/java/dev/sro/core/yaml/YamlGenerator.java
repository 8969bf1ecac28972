package dev.sro.core.yaml;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Documents of YAML, odd ones, and some that are none. One seed makes one document. */
final class YamlGenerator {

    private static final String INSERTED = " \t\n:-?,[]{}#&*!|>'\"%@`.~0a=<\r\\/\u0085\u00a0\u2028\ufeff\u0007";

    private final Random random;
    private final StringBuilder out = new StringBuilder();
    private final List<String> anchors = new ArrayList<>();
    private int left;

    private YamlGenerator(long seed) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + 17);
    }

    /** The bytes of a document. */
    static byte[] document(long seed) {
        return new YamlGenerator(seed).document();
    }

    private byte[] document() {
        left = 3 + random.nextInt(25);
        if (chance(10)) {
            out.append(pick(List.of(
                    "---\n", "--- # first\n", "%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "\ufeff", "\n\n", "# c\n")));
        }
        map(0);
        if (chance(30)) {
            out.append(pick(List.of("...\n", "# end", "\n\n", "---\n")));
        }
        String text = out.toString();
        if (chance(12)) {
            text = text.replace("\n", "\r\n");
        }
        if (chance(6)) {
            text = mutated(text);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return chance(80) ? broken(bytes) : bytes;
    }

    private String mutated(String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int i = 0; i <= random.nextInt(2) && changed.length() > 1; i++) {
            int at = random.nextInt(changed.length());
            switch (random.nextInt(3)) {
                case 0 -> changed.deleteCharAt(at);
                case 1 -> changed.insert(at, INSERTED.charAt(random.nextInt(INSERTED.length())));
                default -> changed.setCharAt(at, INSERTED.charAt(random.nextInt(INSERTED.length())));
            }
        }
        return changed.toString();
    }

    private byte[] broken(byte[] bytes) {
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        int at = random.nextInt(bytes.length);
        changed.write(bytes, 0, at);
        changed.write(0x80 + random.nextInt(0x80));
        changed.write(bytes, at, bytes.length - at);
        return changed.toByteArray();
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void map(int indent) {
        int size = 1 + random.nextInt(4);
        for (int i = 0; i < size; i++) {
            if (i > 0 || out.length() == 0 || out.charAt(out.length() - 1) == '\n') {
                out.append(" ".repeat(indent));
            }
            if (chance(12) && !anchors.isEmpty()) {
                out.append("<<: ")
                        .append(chance(3) ? "[*" + pick(anchors) + ", *" + pick(anchors) + "]" : "*" + pick(anchors));
                line();
                continue;
            }
            key();
            out.append(chance(20) ? " :" : ":");
            value(indent);
        }
    }

    private void key() {
        switch (random.nextInt(8)) {
            case 0 -> out.append(quoted(pick(ScalarSamples.ODD)));
            case 1 -> out.append(plain());
            case 2 -> out.append(pick(List.of("a", "b", "c")));
            default -> out.append((char) ('a' + random.nextInt(26))).append(random.nextInt(100));
        }
    }

    private void value(int indent) {
        left--;
        int kind = left <= 0 ? 0 : random.nextInt(14);
        String prefix = properties(kind);
        switch (kind) {
            case 5, 6 -> {
                out.append(prefix);
                out.append('\n');
                map(indent + 1 + random.nextInt(3));
            }
            case 7, 8 -> {
                out.append(prefix);
                out.append('\n');
                list(indent + random.nextInt(3));
            }
            case 9 -> {
                out.append(prefix).append(' ');
                flow(0);
                line();
            }
            case 10 -> {
                out.append(prefix).append(' ');
                block(indent);
            }
            case 11 -> {
                if (anchors.isEmpty()) {
                    line();
                } else {
                    out.append(" *").append(pick(anchors));
                    line();
                }
            }
            case 12 -> {
                out.append(prefix).append(' ').append(quoted(pick(ScalarSamples.ODD)));
                line();
            }
            case 13 -> {
                out.append(prefix).append(' ').append(folded(indent));
                line();
            }
            default -> {
                out.append(prefix).append(chance(20) ? "\t" : " ").append(plain());
                line();
            }
        }
    }

    private String properties(int kind) {
        String result = "";
        if (kind != 11 && chance(10)) {
            String name = pick(List.of("x", "y", "z-1"));
            anchors.add(name);
            result += " &" + name;
        }
        return kind != 11 && chance(14) ? result + " " + pick(ScalarSamples.TAGS) : result;
    }

    private void line() {
        if (chance(15)) {
            out.append(pick(List.of(" # comment", "  #", "\t# tab", " ")));
        }
        out.append('\n');
        if (chance(25)) {
            out.append(pick(List.of("\n", "   \n", "# comment\n", "      # deep\n")));
        }
    }

    private void list(int indent) {
        int size = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++) {
            out.append(" ".repeat(indent)).append('-');
            if (chance(5) && left > 0) {
                out.append(' ');
                map(indent + 2);
            } else {
                value(indent);
            }
        }
    }

    private void flow(int depth) {
        boolean map = chance(2);
        out.append(map ? '{' : '[');
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            out.append(i > 0 ? pick(List.of(", ", ",", " , ", ",\n      ")) : "");
            if (map) {
                key();
                out.append(pick(List.of(": ", ": ", ":  ", ":")));
            }
            if (depth < 3 && chance(4)) {
                flow(depth + 1);
            } else {
                out.append(chance(2) ? quoted(pick(ScalarSamples.ODD)) : plain());
            }
        }
        out.append(chance(15) ? "," : "").append(map ? '}' : ']');
    }

    private String plain() {
        String text = pick(ScalarSamples.ODD);
        if (chance(6)) {
            int at = random.nextInt(text.length() + 1);
            text = text.substring(0, at) + "_.+-eE0x1".charAt(random.nextInt(9)) + text.substring(at);
        }
        return text;
    }

    private String quoted(String text) {
        if (chance(2)) {
            return "'" + text.replace("'", "''") + "'";
        }
        String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t");
        return "\"" + escaped
                + pick(List.of(
                        "",
                        "",
                        "\\n",
                        "\\x41",
                        "\\u00e9",
                        "\\U0001F600",
                        "\\e",
                        "\\0",
                        "\\_",
                        "\\N",
                        "\\/",
                        "\\q",
                        "\\ ",
                        "\\L"))
                + "\"";
    }

    private String folded(int indent) {
        String next = "\n" + " ".repeat(indent + 1);
        return switch (random.nextInt(3)) {
            case 0 -> "one" + next + "two" + (chance(2) ? "\n" : "") + next + "three";
            case 1 -> "\"one" + next + " two\\" + next + "three\"";
            default -> "'one" + next + (chance(2) ? "\n" : "") + "  two '";
        };
    }

    private void block(int indent) {
        out.append(chance(2) ? '|' : '>')
                .append(pick(List.of("", "", "-", "+", "2", "2-", "+1")))
                .append('\n');
        int deep = indent + 1 + random.nextInt(3);
        int lines = random.nextInt(4);
        for (int i = 0; i < lines; i++) {
            if (chance(6)) {
                out.append(pick(List.of("\n", "  \n", "\t\n")));
            }
            out.append(" ".repeat(deep + (chance(4) ? 2 : 0)))
                    .append(pick(ScalarSamples.ODD))
                    .append('\n');
        }
        if (chance(4)) {
            out.append("\n");
        }
    }
}
