package dev.sro.core.recipe.chart;

import dev.sro.core.model.Digests;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A Helm chart in memory. Equal files give equal digests, wherever they came from. Immutable.
 *
 * @see ChartLoader
 */
public final class Chart {

    private static final List<String> MANIFEST_ENDINGS = List.of(".yaml", ".yml", ".json");

    private final ChartMetadata metadata;
    private final Map<String, Object> values;
    private final List<ChartFile> all;
    private final List<Chart> subcharts;
    private final String digest;

    /**
     * @param metadata from its Chart.yaml
     * @param values from its values.yaml
     * @param files all of its files, without those of the charts inside of it
     * @param subcharts the charts inside of it
     */
    Chart(
            ChartMetadata metadata,
            Map<String, Object> values,
            Collection<ChartFile> files,
            Collection<Chart> subcharts) {
        this.metadata = metadata;
        this.values = values;
        this.all = files.stream().sorted(Comparator.comparing(ChartFile::path)).toList();
        this.subcharts = subcharts.stream()
                .sorted(Comparator.comparing((Chart chart) -> chart.name()).thenComparing(chart -> chart.digest()))
                .toList();
        this.digest = digest(all, this.subcharts);
    }

    /** What Chart.yaml says. */
    public ChartMetadata metadata() {
        return metadata;
    }

    /** The chart's name. */
    public String name() {
        return metadata.name();
    }

    /** Name and version, for messages. */
    public String label() {
        return metadata.name() + " " + metadata.version();
    }

    /** The chart's own values, unmodifiable throughout; keys that are set to null are there with null. */
    public Map<String, Object> values() {
        return values;
    }

    /** Every file, sorted by path, without those of the charts inside of it. */
    public List<ChartFile> allFiles() {
        return all;
    }

    /** What is below {@code templates/}, helpers and notes included; sorted by path. */
    public List<ChartFile> templates() {
        return all(file -> file.path().startsWith("templates/"));
    }

    /** The manifests below {@code crds/}, which are no templates; sorted by path. */
    public List<ChartFile> crds() {
        return all(file -> file.path().startsWith("crds/")
                && MANIFEST_ENDINGS.stream().anyMatch(file.name().toLowerCase(Locale.ROOT)::endsWith));
    }

    /** The JSON schema of the values. */
    public Optional<ChartFile> schema() {
        return file("values.schema.json");
    }

    /** The file at the path. */
    public Optional<ChartFile> file(String path) {
        return all.stream().filter(file -> file.path().equals(path)).findFirst();
    }

    /** The charts inside of it, sorted by name. */
    public List<Chart> subcharts() {
        return subcharts;
    }

    /** SHA-256 over all files, those of the charts inside of it included, in hexadecimal digits. */
    public String digest() {
        return digest;
    }

    @Override
    public String toString() {
        return label();
    }

    private List<ChartFile> all(Predicate<ChartFile> which) {
        return all.stream().filter(which).toList();
    }

    private static String digest(List<ChartFile> files, List<Chart> subcharts) {
        MessageDigest sha = Digests.sha256();
        for (ChartFile file : files) {
            // Lengths first, so that no content can imitate another file.
            String head = "file " + file.path().length() + " " + file.path() + " " + file.size() + "\n";
            sha.update(head.getBytes(StandardCharsets.UTF_8));
            sha.update(file.bytes());
        }
        for (Chart chart : subcharts) {
            sha.update(("chart " + chart.digest() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return Digests.hex(sha);
    }
}
