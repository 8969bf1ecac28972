package dev.sro.testkit.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The steps that are known to differ from the recordings, each with its reason. A line is {@code group/case steps | reason}; steps
 * are numbers with commas between them, or {@code -} for a case that is not played at all.
 */
final class KnownDifferences {
    /** What is known of one case. */
    record Known(Set<Integer> steps, boolean played, String reason) {}

    private static final Known NONE = new Known(Set.of(), true, "");

    private final Map<String, Known> byCase = new HashMap<>();

    static KnownDifferences read() {
        KnownDifferences all = new KnownDifferences();
        try (InputStream in = KnownDifferences.class.getResourceAsStream("known-differences.txt")) {
            if (in == null) {
                throw new IllegalStateException("known-differences.txt is missing");
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            lines.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).forEach(all::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private void add(String line) {
        int bar = line.indexOf(" | ");
        String[] words = line.substring(0, bar).split(" ");
        Set<Integer> steps = new TreeSet<>();
        boolean played = !words[1].equals("-");
        if (played) {
            for (String step : words[1].split(",")) {
                steps.add(Integer.valueOf(step));
            }
        }
        if (byCase.put(words[0], new Known(steps, played, line.substring(bar + 3))) != null) {
            throw new IllegalStateException("twice: " + words[0]);
        }
    }

    Known of(String group, String name) {
        return byCase.getOrDefault(group + "/" + name, NONE);
    }

    Set<String> cases() {
        return byCase.keySet();
    }
}
