package dev.sro.api.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Recorded signatures, each with the version that brought it. Immutable.
 *
 * @param since versions by signature
 */
record Baseline(SortedMap<String, String> since) {

    private static final String EXPERIMENT = " experimental";

    private static final Pattern OWN_VERSION =
            Pattern.compile("<artifactId>sro</artifactId>\\s*<version>([0-9.]+)(?:-SNAPSHOT)?</version>");

    static Baseline parse(String text) {
        SortedMap<String, String> since = new TreeMap<>();
        for (String line : text.split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" ", 2);
                since.put(parts[1], parts[0]);
            }
        }
        return new Baseline(since);
    }

    /** What the code has, each line with its recorded version, or with that of this build. */
    Baseline with(Collection<String> signatures, String version) {
        SortedMap<String, String> now = new TreeMap<>();
        signatures.forEach(line -> now.put(line, since.getOrDefault(line, version)));
        return new Baseline(now);
    }

    String text() {
        return since.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey() + "\n")
                .collect(Collectors.joining(
                        "", "# Signatures of the contract with the version that brought each.\n", ""));
    }

    /**
     * What would break those who compile against the recorded signatures: lines that are gone or changed and were no experiment, and
     * new lines that whoever implements a type has to have.
     */
    SortedSet<String> brokenBy(Collection<String> signatures) {
        SortedSet<String> broken = new TreeSet<>();
        for (String line : since.keySet()) {
            if (!signatures.contains(line) && !isExperiment(line, since)) {
                broken.add("gone or changed: " + line);
            }
        }
        for (String line : signatures) {
            if (!since.containsKey(line) && line.contains(") ") && line.endsWith(" abstract")) {
                String type = line.substring(0, line.indexOf('#'));
                boolean known = since.keySet().stream().anyMatch(one -> one.startsWith(type + " interface"));
                if (known && !isExperiment(line, since)) {
                    broken.add("implementations lack it: " + line);
                }
            }
        }
        return broken;
    }

    /** New lines and the lines of experiments that are not as they were. */
    SortedSet<String> notRecordedOf(Collection<String> signatures) {
        SortedSet<String> changed = new TreeSet<>(signatures);
        changed.removeAll(since.keySet());
        since.keySet().stream().filter(line -> !signatures.contains(line)).forEach(changed::add);
        return changed;
    }

    /** Whether the line says so, or its type, or one around that. */
    private static boolean isExperiment(String line, Map<String, String> recorded) {
        String type = line.split("[ #]", 2)[0];
        return line.endsWith(EXPERIMENT)
                || recorded.keySet().stream()
                        .filter(one -> one.endsWith(EXPERIMENT) && !one.contains("#"))
                        .map(one -> one.split(" ", 2)[0])
                        .anyMatch(one -> type.equals(one) || type.startsWith(one + "."));
    }

    /** The version of this build, without what makes it a snapshot. */
    static String version(Path parentPom) {
        try {
            Matcher version = OWN_VERSION.matcher(Files.readString(parentPom));
            if (!version.find()) {
                throw new IllegalStateException(parentPom + " has no version");
            }
            return version.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
