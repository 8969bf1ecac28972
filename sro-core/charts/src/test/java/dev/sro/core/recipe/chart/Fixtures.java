package dev.sro.core.recipe.chart;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Charts of these tests, and the corpus where one is at hand. */
final class Fixtures {
    static final Path CHARTS = Path.of("src", "test", "resources", "charts");

    private Fixtures() {}

    static Chart chart(String name) {
        return new ChartLoader().fromDirectory(name, CHARTS.resolve(name));
    }

    /** A chart of paths and texts, through an archive. */
    static Chart chart(String... pathsAndTexts) {
        return new ChartLoader().fromArchive("test.tgz", archive(pathsAndTexts));
    }

    static byte[] archive(String... pathsAndTexts) {
        return TarWriter.archive("folder", files(pathsAndTexts));
    }

    private static Map<String, byte[]> files(String... pathsAndTexts) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            files.put(pathsAndTexts[i], pathsAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return files;
    }

    static final String CHART_YAML = "apiVersion: v2\nname: c\nversion: 0.1.0\n";

    /** Where {@code sro.corpus} or SRO_CORPUS say, or in the shared folder beside the checkout. */
    static Optional<Path> corpus() {
        String given = System.getProperty("sro.corpus", System.getenv("SRO_CORPUS"));
        List<Path> places = new ArrayList<>();
        if (given != null && !given.isEmpty()) {
            places.add(Path.of(given));
        } else {
            for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
                if (at.resolve(".git").toFile().exists()) {
                    places.add(at.resolveSibling("shared").resolve("corpus"));
                }
            }
        }
        return places.stream()
                .filter(place -> place.resolve("charts").toFile().isDirectory())
                .findFirst();
    }

    static boolean corpusIsHere() {
        return corpus().isPresent();
    }
}
