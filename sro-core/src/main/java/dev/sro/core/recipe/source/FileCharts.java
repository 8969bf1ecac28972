package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Charts on this machine: {@code file:///charts}. Keeps no state; thread-safe. */
public final class FileCharts implements ChartFetcher {

    private final ChartLoader loader;

    /**
     * @param loader reads what is found
     */
    public FileCharts(ChartLoader loader) {
        this.loader = loader;
    }

    /**
     * The address is an archive, a chart's directory, or a directory that has one of them under the chart's name, with or
     * without the version.
     */
    @Override
    public Fetched fetch(ChartReference reference) throws IOException {
        ChartRepository repository = Objects.requireNonNull(reference.getRepository());
        String url = repository.getUrl();
        Path root = path(url);
        String name = reference.getName();
        String version = reference.getVersion();
        List<Path> places = List.of(
                root,
                root.resolve(name + "-" + version),
                root.resolve(name + "-" + version + ".tgz"),
                root.resolve(name));
        for (Path place : places) {
            if (Files.isRegularFile(place)) {
                return check(reference, loader.fromArchive(place.toString(), Files.readAllBytes(place)));
            }
            if (Files.isRegularFile(place.resolve("Chart.yaml"))) {
                return check(reference, loader.fromDirectory(place.toString(), place));
            }
        }
        throw new ChartException(Problem.user(
                "ChartNotFound",
                "spec.chart: there is no chart " + name + " " + version + " at " + url + "; looked for an archive or a"
                        + " Chart.yaml at " + places));
    }

    private static Fetched check(ChartReference reference, Chart chart) {
        if (!chart.name().equals(reference.getName())) {
            throw new ChartException(Problem.user(
                    "ChartNotFound",
                    "spec.chart.name: \"" + reference.getName() + "\", but the chart at "
                            + Objects.requireNonNull(reference.getRepository()).getUrl() + " is " + chart.label()));
        }
        return new Fetched(chart, List.of());
    }

    private static Path path(String url) {
        try {
            return Path.of(URI.create(url));
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            throw new ChartException(Problem.user(
                    "InvalidChartReference",
                    "spec.chart.repository.url: \"" + url + "\" is not the address of a file, such as file:///charts: "
                            + e.getMessage()));
        }
    }
}
