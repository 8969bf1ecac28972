package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.core.model.Code;
import dev.sro.core.recipe.chart.ChartException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The index.yaml of a chart repository: which versions of which charts there are, and where. Immutable.
 *
 * @param source what messages call it
 * @param entries versions by the name of the chart
 */
record RepositoryIndex(String source, Map<String, List<Entry>> entries) {

    /** What messages list of something long. */
    private static final int SHOWN = 8;

    /**
     * One version of a chart.
     *
     * @param version as it is written
     * @param urls where the archive is: absolute, or relative to the index
     * @param digest SHA-256 of the archive, in hexadecimal digits; empty when not known
     */
    record Entry(String version, List<String> urls, String digest) {
        Entry {
            urls = List.copyOf(urls);
        }
    }

    /**
     * Reads the file. What is not needed of it is never in memory as a tree.
     *
     * @param source what messages call it, such as its URL without credentials
     * @throws ChartException if it is no index
     */
    static RepositoryIndex read(String source, byte[] yaml) {
        return new RepositoryIndex(source, new IndexReader(source, yaml).read());
    }

    boolean has(String name) {
        return entries.containsKey(name);
    }

    /**
     * The version that Helm takes: the one of exactly that text, else the newest that the constraint admits.
     *
     * @throws ChartException if there is none
     */
    Entry choose(ChartReference reference) {
        List<Entry> versions = entries.getOrDefault(reference.getName(), List.of());
        if (versions.isEmpty()) {
            throw new ChartException(Problem.user(
                    Code.CHART_NOT_FOUND.text(),
                    "spec.chart.name: " + source + " has no chart \"" + reference.getName() + "\"; it has "
                            + shown(List.copyOf(new TreeSet<>(entries.keySet())))));
        }
        Entry entry = VersionConstraint.choose(reference.getVersion(), versions, Entry::version)
                .orElseThrow(() -> new ChartException(Problem.user(
                        Code.CHART_NOT_FOUND.text(),
                        "spec.chart.version: " + source + " has no version of chart " + reference.getName()
                                + " that meets \"" + reference.getVersion() + "\"; it has "
                                + shown(VersionConstraint.newestFirst(versions, Entry::version).stream()
                                        .map(Entry::version)
                                        .toList()))));
        if (entry.urls().isEmpty()) {
            throw invalid(
                    source,
                    "chart " + reference.getName() + " " + entry.version() + " has no urls; make the index anew");
        }
        return entry;
    }

    static ChartException invalid(String source, String message) {
        return new ChartException(
                Problem.platform("InvalidRepositoryIndex", source + " is no index of a chart repository: " + message));
    }

    /** The first of them, for messages. */
    static String shown(List<String> names) {
        if (names.isEmpty()) {
            return "none";
        }
        String first = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())));
        return names.size() > SHOWN ? first + " and " + (names.size() - SHOWN) + " more" : first;
    }
}
