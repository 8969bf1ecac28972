package dev.sro.plugins.nvidia;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Repositories, images and versions of all operands, from {@code operands.properties}. Immutable. */
final class Catalogue {

    private static final String SYSTEMS = "systems";

    /** What is published for one operating system each. */
    private static final Set<String> BY_SYSTEM = Set.of("driver", "gds", "gdrcopy");

    private static final Pattern SPACE = Pattern.compile("\\s+");

    /** The one of this jar. */
    static final Catalogue OWN = read(Resources.text("operands.properties"));

    /**
     * An image by its parts.
     *
     * @param repository empty when the image says it
     * @param image its name, or all of a reference
     * @param version a tag, or {@code sha256:…}; empty when the image says it
     */
    record Entry(String repository, String image, String version) {

        /** As container runtimes write it; a tag gets the suffix, a digest does not. */
        String reference(String suffix) {
            String name = repository.isEmpty() ? image : repository + "/" + image;
            if (version.isEmpty()) {
                return name;
            }
            return isDigest() ? name + "@" + version : name + ":" + version + suffix;
        }

        String reference() {
            return reference("");
        }

        boolean isDigest() {
            return version.startsWith("sha256:");
        }
    }

    private final SortedMap<String, Entry> entries;
    private final List<String> systems;

    private Catalogue(SortedMap<String, Entry> entries, List<String> systems) {
        this.entries = entries;
        this.systems = systems;
    }

    private static Catalogue read(String text) {
        Properties lines = new Properties();
        try {
            lines.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SortedMap<String, Entry> entries = new TreeMap<>(Comparator.naturalOrder());
        List<String> systems = new ArrayList<>();
        lines.forEach((key, value) -> {
            String[] words = SPACE.split(String.valueOf(value).strip());
            if (key.equals(SYSTEMS)) {
                systems.addAll(List.of(words));
            } else if (words.length == 3) {
                entries.put(String.valueOf(key), new Entry(words[0], words[1], words[2]));
            } else {
                throw new IllegalStateException(
                        "operands.properties: " + key + " must have repository, image and version, not " + value);
            }
        });
        return new Catalogue(entries, List.copyOf(systems));
    }

    /** The image of a section of the settings, if the catalogue has it. */
    Optional<Entry> entry(String section) {
        return Optional.ofNullable(entries.get(section));
    }

    /** By section. */
    Map<String, Entry> entries() {
        return entries;
    }

    /** Every image that a disconnected cluster may need, sorted: those of modules for each system that they are published for. */
    List<String> images() {
        return entries.entrySet().stream()
                .flatMap(entry -> BY_SYSTEM.contains(entry.getKey())
                        ? systems.stream().map(system -> entry.getValue().reference("-" + system))
                        : Stream.of(entry.getValue().reference()))
                .distinct()
                .sorted()
                .toList();
    }
}
