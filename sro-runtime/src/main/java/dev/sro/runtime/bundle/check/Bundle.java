package dev.sro.runtime.bundle.check;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The files of a bundle, read. Immutable. */
public final class Bundle {

    static final String MANIFESTS = "manifests/";
    static final String ANNOTATIONS = "metadata/annotations.yaml";
    static final String DOCKERFILE = "bundle.Dockerfile";

    private static final List<String> FOLDERS = List.of(MANIFESTS, "metadata/", "tests/");

    private final SortedMap<String, String> files;
    private final List<Manifest> manifests = new ArrayList<>();

    /**
     * A file with manifests.
     *
     * @param file its path in the bundle
     * @param documents those that are maps
     * @param fault why it cannot be read; empty when it can
     */
    record Manifest(String file, List<Map<String, Object>> documents, String fault) {

        static Manifest of(String file, String text) {
            try {
                return new Manifest(file, Yaml.documents(file, text), "");
            } catch (YamlException e) {
                return new Manifest(file, List.of(), String.valueOf(e.getMessage()));
            }
        }

        /** The first of the documents, or an empty one. */
        Map<String, Object> object() {
            return documents.isEmpty() ? Map.of() : documents.get(0);
        }

        String kind() {
            return ValueTrees.text(object(), "kind");
        }

        String name() {
            return ValueTrees.text(object(), "metadata", "name");
        }
    }

    private Bundle(SortedMap<String, String> files) {
        this.files = Collections.unmodifiableSortedMap(files);
        files.forEach((path, text) -> {
            if (path.startsWith(MANIFESTS)) {
                manifests.add(Manifest.of(path, text));
            }
        });
    }

    /** Of files by their paths in the bundle. */
    public static Bundle of(Map<String, String> files) {
        return new Bundle(new TreeMap<>(files));
    }

    /** Of a directory; files that belong to no bundle are passed over. */
    public static Bundle read(Path folder) throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        for (String path : paths(folder)) {
            files.put(path, Files.readString(folder.resolve(path)));
        }
        return new Bundle(files);
    }

    /** The files of a directory that belong to a bundle, if there is one. */
    public static SortedSet<String> paths(Path folder) throws IOException {
        SortedSet<String> paths = new TreeSet<>();
        if (!Files.isDirectory(folder)) {
            return paths;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .filter(path -> path.equals(DOCKERFILE) || FOLDERS.stream().anyMatch(path::startsWith))
                    .forEach(paths::add);
        }
        return paths;
    }

    /** Contents by path. */
    SortedMap<String, String> files() {
        return files;
    }

    List<Manifest> manifests() {
        return Collections.unmodifiableList(manifests);
    }

    List<Manifest> ofKind(String kind) {
        return manifests.stream()
                .filter(manifest -> manifest.kind().equals(kind))
                .toList();
    }

    /** The ClusterServiceVersion, if there is exactly one. */
    Optional<Manifest> serviceVersion() {
        List<Manifest> found = ofKind("ClusterServiceVersion");
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /** What {@code annotations.yaml} has; empty when there is none. */
    Map<String, Object> annotations() {
        String text = files.get(ANNOTATIONS);
        return text == null
                ? Map.of()
                : ValueTrees.map(Manifest.of(ANNOTATIONS, text).object(), "annotations");
    }
}
