package dev.sro.api.resource;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The special resources in the fixture folder. */
final class Fixtures {
    static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Fixtures() {}

    /** Names of the fixtures that the API server accepts. */
    static List<String> valid() {
        return named("valid-");
    }

    /** Names of the fixtures that the API server refuses. */
    static List<String> invalid() {
        return named("invalid-");
    }

    private static List<String> named(String prefix) {
        try (Stream<Path> files = Files.list(folder())) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(String name) {
        try {
            return Files.readString(folder().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, Object> tree(String yaml) {
        return SERIALIZATION.unmarshal(yaml, Tree.class);
    }

    static SpecialResource parse(String yaml) {
        return SERIALIZATION.unmarshal(yaml, SpecialResource.class);
    }

    private static Path folder() {
        try {
            return Path.of(
                    requireNonNull(Fixtures.class.getResource("fixtures")).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A map with its generics, as a class that the serialization can be asked for. */
    static final class Tree extends LinkedHashMap<String, Object> {}
}
