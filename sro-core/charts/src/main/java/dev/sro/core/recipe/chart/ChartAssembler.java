package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Makes a chart, with the charts inside of it, of files. For one chart; not thread-safe. */
final class ChartAssembler {

    private static final String CHARTS = "charts/";

    private final ChartLimits limits;
    private long bytes;
    private int count;

    ChartAssembler(ChartLimits limits) {
        this.limits = limits;
    }

    /**
     * @param source what messages call the chart
     * @param files by path, as {@link FileCollector} checked them
     */
    Chart assemble(String source, SortedMap<String, byte[]> files) {
        return assemble(source, files, 0);
    }

    private Chart assemble(String source, SortedMap<String, byte[]> files, int depth) {
        if (depth > limits.depth()) {
            throw ChartException.unsafe(source + ": charts lie more than " + limits.depth() + " deep in charts");
        }
        List<ChartFile> own = new ArrayList<>();
        SortedMap<String, SortedMap<String, byte[]>> inside = new TreeMap<>();
        files.forEach((path, content) -> {
            if (path.startsWith(CHARTS) && !path.endsWith(".prov")) {
                String rest = path.substring(CHARTS.length());
                inside.computeIfAbsent(first(rest), name -> new TreeMap<>()).put(rest, content);
            } else {
                own.add(new ChartFile(path, content));
                count(source, content.length);
            }
        });
        Map<String, Object> tree = tree(source, files, "Chart.yaml");
        if (!files.containsKey("Chart.yaml")) {
            throw ChartException.invalid(source + ": Chart.yaml is missing; is this the folder of a chart?");
        }
        ChartMetadata metadata = MetadataReader.read(source, tree, tree(source, files, "requirements.yaml"));
        List<Chart> subcharts = new ArrayList<>();
        inside.forEach((name, content) -> subchart(source, name, content, depth, subcharts));
        if (depth == 0) {
            // Helm does not ask charts inside whether they have theirs.
            checkDependencies(source, metadata, subcharts);
        }
        return new Chart(metadata, tree(source, files, "values.yaml"), own, subcharts);
    }

    private void subchart(
            String source, String name, SortedMap<String, byte[]> files, int depth, List<Chart> subcharts) {
        if (name.startsWith("_") || name.startsWith(".")) {
            return;
        }
        String inside = source + ": " + CHARTS + name;
        if (name.endsWith(".tgz")) {
            byte[] archive = files.get(name);
            if (archive == null) {
                throw ChartException.invalid(inside + " is a folder; an archive is needed");
            }
            subcharts.add(assemble(inside, FileCollector.ofArchive(inside, archive, limits), depth + 1));
            return;
        }
        SortedMap<String, byte[]> own = new TreeMap<>();
        files.forEach((path, content) -> {
            if (path.startsWith(name + "/")) {
                own.put(path.substring(name.length() + 1), content);
            }
        });
        subcharts.add(assemble(inside, own, depth + 1));
    }

    /** As Helm does before it renders: what is declared must be there, by its name, whatever its version. */
    private static void checkDependencies(String source, ChartMetadata metadata, List<Chart> subcharts) {
        String missing = metadata.dependencies().stream()
                .filter(needed ->
                        subcharts.stream().noneMatch(chart -> chart.name().equals(needed.name())))
                .map(needed -> needed.name()
                        + (needed.version().isEmpty() ? "" : " " + needed.version())
                        + (needed.repository().isEmpty() ? "" : " (" + needed.repository() + ")"))
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new ChartException(Problem.vendor(
                    "ChartDependencyMissing",
                    source + ": found in Chart.yaml, but missing in charts/: " + missing
                            + "; run \"helm dependency update\" and package the chart anew"));
        }
    }

    private static Map<String, Object> tree(String source, Map<String, byte[]> files, String path) {
        byte[] content = files.get(path);
        return content == null ? Map.of() : ChartYaml.map(source + ": " + path, new ChartFile(path, content).text());
    }

    private void count(String source, int size) {
        bytes += size;
        count++;
        if (bytes > limits.totalBytes() || count > limits.files()) {
            throw FileCollector.tooLarge(source, limits);
        }
    }

    private static String first(String path) {
        int slash = path.indexOf('/');
        return slash < 0 ? path : path.substring(0, slash);
    }

    /** The same files again, as they would lie in an archive: charts inside are folders. */
    static Map<String, ChartFile> flatten(Chart chart) {
        Map<String, ChartFile> files = new LinkedHashMap<>();
        flatten("", chart, files);
        return files;
    }

    private static void flatten(String folder, Chart chart, Map<String, ChartFile> files) {
        chart.allFiles().forEach(file -> files.put(folder + file.path(), file));
        int number = 0;
        for (Chart inside : chart.subcharts()) {
            // Helm does not look at the folder's name; two versions of one chart may be there.
            flatten(folder + CHARTS + inside.name() + "." + number + "/", inside, files);
            number++;
        }
    }
}
