package dev.sro.testkit.monitoring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The command {@code promtool} of Prometheus, which knows better than anybody what a rule does.
 *
 * @param command the file
 */
record Promtool(Path command) {

    private static final long LIMIT_SECONDS = 120;

    /**
     * Where {@code sro.promtool} or SRO_PROMTOOL say, or else where {@code .ci/promtool/build.sh} puts it.
     *
     * @throws AssertionError when there is none where one of the two says
     */
    static Optional<Promtool> find() {
        String given = System.getProperty("sro.promtool", System.getenv().getOrDefault("SRO_PROMTOOL", ""));
        if (!given.isEmpty()) {
            if (!Files.isExecutable(Path.of(given))) {
                throw new AssertionError("SRO_PROMTOOL: " + given + " is no command");
            }
            return Optional.of(new Promtool(Path.of(given)));
        }
        String caches = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path cache = caches.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(caches);
        Path built = cache.resolve(Path.of("sro", "promtool"));
        if (!Files.isDirectory(built)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(built)) {
            return versions.sorted()
                    .map(version -> version.resolve("promtool"))
                    .filter(Files::isExecutable)
                    .reduce((older, newer) -> newer)
                    .map(Promtool::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it says about a file of rules; empty when it accepts them. */
    Optional<String> refusal(Path rules) {
        return failure("check", "rules", "--lint=all", "--lint-fatal", rules.toString());
    }

    /** What it says about a file of unit tests; empty when they pass. */
    Optional<String> failures(Path tests) {
        return failure("test", "rules", tests.toString());
    }

    private Optional<String> failure(String... arguments) {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        line.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile("promtool", ".txt");
            try {
                Process process = new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return Optional.of(line + " did not end within " + LIMIT_SECONDS + " s");
                }
                String said = Files.readString(output, StandardCharsets.UTF_8);
                return process.exitValue() == 0 ? Optional.empty() : Optional.of(line + "\n" + said);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
