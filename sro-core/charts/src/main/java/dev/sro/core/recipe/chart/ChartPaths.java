package dev.sro.core.recipe.chart;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The files of a chart and of those inside of it under the paths that a {@link RenderedChart} has them by, whether or not they
 * are switched on. Stateless.
 */
public final class ChartPaths {

    private ChartPaths() {}

    /** What is below {@code templates/}, without helpers and notes. */
    public static SortedMap<String, ChartFile> templates(Chart chart) {
        SortedMap<String, ChartFile> files = collect(chart, Chart::templates);
        files.keySet().removeIf(path -> Decomposition.isShared(path) || Decomposition.isNotes(path));
        return files;
    }

    /** What is below {@code crds/}. */
    public static SortedMap<String, ChartFile> crds(Chart chart) {
        return collect(chart, Chart::crds);
    }

    private static SortedMap<String, ChartFile> collect(Chart chart, Function<Chart, List<ChartFile>> files) {
        SortedMap<String, ChartFile> found = new TreeMap<>();
        collect(chart, chart.name() + "/", files, found);
        return found;
    }

    private static void collect(
            Chart chart, String path, Function<Chart, List<ChartFile>> files, SortedMap<String, ChartFile> found) {
        files.apply(chart).forEach(file -> found.put(path + file.path(), file));
        for (Chart inside : chart.subcharts()) {
            for (String name : ChartNames.ofPaths(chart, inside)) {
                collect(inside, path + "charts/" + name + "/", files, found);
            }
        }
    }
}
