package dev.sro.runtime.charts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A recipe, what it runs on and what is expected of it, in one text: lines of {@code name: value}, then files, each after a line
 * {@code -- path --}. In files {@code @tab@}, {@code @cr@} and {@code @bom@} stand for characters that editors change.
 *
 * @param name of the file
 * @param settings the lines at the beginning, in their order
 * @param files by path, in their order
 */
record RecipeText(String name, List<Map.Entry<String, String>> settings, Map<String, String> files) {
    private static final Pattern FILE = Pattern.compile("(?m)^-- (\\S+) --\\n");

    static RecipeText read(Path path) throws IOException {
        String text = Files.readString(path);
        Map<String, String> files = new LinkedHashMap<>();
        Matcher heads = FILE.matcher(text);
        String before = "";
        int begin = 0;
        int head = text.length();
        while (heads.find()) {
            if (before.isEmpty()) {
                head = heads.start();
            } else {
                files.put(before, unescaped(text.substring(begin, heads.start())));
            }
            before = heads.group(1);
            begin = heads.end();
        }
        files.put(before, unescaped(text.substring(begin)));
        List<Map.Entry<String, String>> settings = new ArrayList<>();
        text.substring(0, head)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(": ", 2))
                .forEach(line -> settings.add(Map.entry(line[0], line[1])));
        return new RecipeText(String.valueOf(path.getFileName()).replace(".txt", ""), settings, files);
    }

    private static String unescaped(String text) {
        return text.replace("@tab@", "\t").replace("@cr@", "\r").replace("@bom@", "\uFEFF");
    }

    List<String> all(String setting) {
        return settings.stream()
                .filter(line -> line.getKey().equals(setting))
                .map(Map.Entry::getValue)
                .toList();
    }

    String one(String setting, String otherwise) {
        return all(setting).stream().findFirst().orElse(otherwise);
    }

    /** Writes the files beneath a folder. */
    void write(Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }

    /** One step of the story: what is applied, and the lines that hold afterwards. */
    record Step(String apply, List<String> expected) {}

    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        files.forEach((path, content) -> {
            if (path.matches("apply(-\\d+)?\\.yaml")) {
                String expected =
                        files.getOrDefault(path.replace("apply", "expect").replace(".yaml", ""), "");
                steps.add(new Step(
                        content,
                        expected.lines().filter(line -> !line.isBlank()).toList()));
            }
        });
        return steps;
    }
}
