package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What no test runs, by the reason why not: a file in which a line {@code ## reason} goes before the entries that it is for. Immutable.
 *
 * @param file its name, for messages
 * @param byReason entries by reasons, in the order of the file
 */
record ReasonList(String file, Map<String, List<String>> byReason) {

    static ReasonList read(String name) throws IOException {
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        List<String> entries = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("src/test/resources/dev/sro/runtime/docs", name))) {
            if (line.startsWith("## ")) {
                entries = new ArrayList<>();
                reasons.put(line.substring("## ".length()), entries);
            } else if (!line.isBlank()) {
                entries.add(line.strip());
            }
        }
        return new ReasonList(name, reasons);
    }

    /** Whether the list has all of these and nothing that there is not any more. */
    void holds(Set<String> open) {
        Set<String> listed = new TreeSet<>();
        byReason.forEach((reason, entries) -> entries.forEach(entry -> assertThat(listed.add(entry))
                .as("%s has it twice: %s", file, entry)
                .isTrue()));
        Set<String> missing = new TreeSet<>(open);
        missing.removeAll(listed);
        assertThat(missing)
                .as("a test has to run these, or %s has to say why none can", file)
                .isEmpty();
        listed.removeAll(open);
        assertThat(listed).as("%s has these, and no page has", file).isEmpty();
    }
}
