package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Commands of others that {@code .ci/NAME/build.sh} builds. Stateless. */
public final class GoTool {
    private GoTool() {}

    /**
     * Where {@code SRO_NAME} says, which must then be right, or where {@code .ci/NAME/build.sh} puts it.
     *
     * @param name as of the folder below {@code .ci}
     */
    public static Optional<Path> find(String name) {
        String variable = "SRO_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
        String given = System.getenv().getOrDefault(variable, "");
        if (!given.isEmpty()) {
            assertThat(Path.of(given)).as(variable).isExecutable();
            return Optional.of(Path.of(given));
        }
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path caches = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        Path builds = caches.resolve(Path.of("sro", name));
        if (!Files.isDirectory(builds)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(builds)) {
            return versions.sorted()
                    .map(version -> version.resolve(name))
                    .filter(Files::isRegularFile)
                    .filter(Files::isExecutable)
                    .reduce((older, newer) -> newer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
