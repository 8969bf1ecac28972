package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.core.model.Code;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Charts on this machine: {@code file:///charts}. Keeps no state; thread-safe. */
public final class FileCharts implements ChartFetcher {

    private static final String INDEX = "index.yaml";

    private final ChartLoader loader;

    /**
     * @param loader reads what is found
     */
    public FileCharts(ChartLoader loader) {
        this.loader = loader;
    }

    /**
     * The address is an archive, a chart's directory, a repository with an index.yaml, or a directory that has an archive or a
     * chart's directory under the chart's name, with or without the version.
     */
    @Override
    public Fetched fetch(ChartReference reference) throws IOException {
        ChartRepository repository = Objects.requireNonNull(reference.getRepository());
        String url = repository.getUrl();
        Path root = path(url);
        if (Files.isRegularFile(root.resolve(INDEX)) && !Files.isRegularFile(root.resolve("Chart.yaml"))) {
            Path file = root.resolve(INDEX);
            RepositoryIndex index = RepositoryIndex.read(file.toString(), read(file, IndexReader.MAX_BYTES));
            if (index.has(reference.getName())) {
                return indexed(reference, root, index.choose(reference));
            }
        }
        String name = reference.getName();
        String version = reference.getVersion();
        List<Path> places = List.of(
                root,
                root.resolve(name + "-" + version),
                root.resolve(name + "-" + version + ".tgz"),
                root.resolve(name));
        for (Path place : places) {
            if (Files.isRegularFile(place)) {
                return archive(reference, place, "");
            }
            if (Files.isRegularFile(place.resolve("Chart.yaml"))) {
                return new Fetched(
                        Archives.check(
                                reference, place.toUri().toString(), loader.fromDirectory(place.toString(), place)),
                        List.of());
            }
        }
        throw new ChartException(Problem.user(
                Code.CHART_NOT_FOUND.text(),
                "spec.chart: there is no chart " + name + " " + version + " at " + url + "; looked for it in an"
                        + " index.yaml, and for an archive or a Chart.yaml at " + places));
    }

    private Fetched indexed(ChartReference reference, Path root, RepositoryIndex.Entry entry) throws IOException {
        String url = entry.urls().get(0);
        URI address;
        try {
            address = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw RepositoryIndex.invalid(root.resolve(INDEX).toString(), url + " is no URL");
        }
        if (address.isOpaque()) {
            throw RepositoryIndex.invalid(root.resolve(INDEX).toString(), url + " names no file");
        }
        if (!address.isAbsolute()) {
            return archive(reference, root.resolve(address.getPath()), entry.digest());
        }
        // An index that was made for a web server: what it names is usually also beside it.
        return archive(
                reference,
                "file".equalsIgnoreCase(address.getScheme())
                        ? path(url)
                        : root.resolve(address.getPath().replaceFirst(".*/", "")),
                entry.digest());
    }

    private Fetched archive(ChartReference reference, Path file, String digest) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new ChartException(Problem.user(
                    Code.CHART_NOT_FOUND.text(),
                    "spec.chart: the index names " + file + " for chart " + reference.getName()
                            + ", and there is no such file"));
        }
        byte[] bytes = read(file, loader.limits().compressedBytes());
        return new Fetched(Archives.open(loader, reference, file.toString(), bytes, digest), List.of());
    }

    /** One byte more than allowed is enough to be refused. */
    private static byte[] read(Path file, int limit) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(limit + 1);
        }
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
