package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What became of a chart. Paths have the chart's name in front, as in {@code # Source:} comments of Helm: {@code
 * simple-kmod/templates/0000-buildconfig.yaml}, {@code parent/charts/alias/templates/x.yaml}. Hooks are among the texts: their
 * annotations say so. Immutable.
 *
 * @param texts by path; a file of which nothing is left has an empty or blank text. A text may have several documents
 * @param problems by path, of the files that have no text
 * @param crds texts of what is in {@code crds/}, by path, also of charts inside that are switched on
 * @param warnings what is worth a look, each with file and line
 */
public record RenderedChart(
        SortedMap<String, String> texts,
        SortedMap<String, Problem> problems,
        SortedMap<String, String> crds,
        List<String> warnings) {

    /** Copies. */
    public RenderedChart {
        texts = copy(texts);
        problems = copy(problems);
        crds = copy(crds);
        warnings = List.copyOf(warnings);
    }

    /** Paths of the texts and of the problems, sorted. */
    public SortedSet<String> files() {
        SortedSet<String> files = new TreeSet<>(texts.keySet());
        files.addAll(problems.keySet());
        return files;
    }

    /** How many characters the texts have. */
    long size() {
        return texts.values().stream().mapToLong(String::length).sum()
                + crds.values().stream().mapToLong(String::length).sum();
    }

    private static <T> SortedMap<String, T> copy(Map<String, T> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
}
