package dev.sro.runtime.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lines of pages with what has to be there before them, and what is looked at afterwards: a script for a shell. A line {@code $ …} is one
 * of a page, word by word; {@code prints TEXT $ …} says what it prints, too. Lines {@code @ WORD=VALUE} name what stands in the place of
 * words of pages after them. Immutable.
 *
 * @param name of the file
 * @param lines those of pages, as they stand there
 * @param shell all of it, for bash
 */
record ClusterScript(String name, List<String> lines, String shell) {

    private static final Path FOLDER = Path.of("src/test/resources/dev/sro/runtime/docs/cluster");
    private static final Pattern LINE = Pattern.compile("^(prints (?:'[^']*'|\\S+) )?\\$ (.*)$");
    private static final Pattern PLACEHOLDER = Pattern.compile("([A-Z]+)=(\\S+)");

    /** {@code fails COMMAND…} is well if it fails, {@code prints TEXT COMMAND…} if what it prints holds the text. */
    private static final String FUNCTIONS = """
            set -euo pipefail
            fails() {
              if "$@"; then
                echo "did not fail: $*"
                return 1
              fi
            }
            prints() {
              local text=$1 printed
              shift
              printed=$("$@" 2>&1) || { echo "$printed"; return 1; }
              echo "$printed"
              [[ $printed == *"$text"* ]] || { echo "does not print $text: $*"; return 1; }
            }
            """;

    static List<ClusterScript> all() throws IOException {
        List<ClusterScript> scripts = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith(".sh")) {
                    scripts.add(of(String.valueOf(file.getFileName()), Files.readAllLines(file)));
                }
            }
        }
        return scripts;
    }

    static ClusterScript of(String name, List<String> text) {
        List<String> lines = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>();
        StringBuilder shell = new StringBuilder(FUNCTIONS);
        for (String line : text) {
            Matcher found = LINE.matcher(line);
            if (found.matches()) {
                lines.add(found.group(2));
                shell.append("page() {\n")
                        .append(filledIn(found.group(2), values))
                        .append("\n}\n");
                shell.append("echo ").append(quoted("$ " + found.group(2))).append('\n');
                shell.append(found.group(1) == null ? "" : found.group(1)).append("page\n");
            } else if (line.startsWith("@ ")) {
                PLACEHOLDER.matcher(line).results().forEach(value -> values.put(value.group(1), value.group(2)));
            } else {
                shell.append(line).append('\n');
            }
        }
        return new ClusterScript(name, lines, shell.toString());
    }

    private static String filledIn(String line, Map<String, String> values) {
        String filled = line;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replaceAll("\\b" + value.getKey() + "\\b", Matcher.quoteReplacement(value.getValue()));
        }
        return filled;
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
