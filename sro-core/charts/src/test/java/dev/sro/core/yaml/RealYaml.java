package dev.sro.core.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The library by which Kubernetes' own tools read YAML, as a command, to compare with. */
final class RealYaml {

    /** Of sigs.k8s.io/yaml; {@code .ci/yaml} builds it. */
    private static final String VERSION = "1.6.0";

    private final Path command;

    private RealYaml(Path command) {
        this.command = command;
    }

    static boolean isHere() {
        return find().isPresent();
    }

    /** Where {@code sro.yaml} or SRO_YAML say, which must then be right, or where {@code .ci/yaml/build.sh} puts it. */
    static Optional<RealYaml> find() {
        String given = System.getProperty("sro.yaml", System.getenv("SRO_YAML"));
        if (given != null && !given.isEmpty()) {
            assertThat(Path.of(given)).as("SRO_YAML").isExecutable();
            return Optional.of(new RealYaml(Path.of(given)));
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path caches =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        Path found = caches.resolve(Path.of("sro", "yaml", VERSION + "-linux-amd64", "yaml"));
        return Files.isExecutable(found) ? Optional.of(new RealYaml(found)) : Optional.empty();
    }

    /** A line for each document: a plus and its JSON, a minus and why it is refused, or a question mark where Go leaves it open. */
    List<String> read(List<byte[]> documents, Path folder) throws IOException, InterruptedException {
        Path in = Files.createTempFile(folder, "documents", "");
        Path out = Files.createTempFile(folder, "answers", "");
        try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(in))) {
            for (byte[] document : documents) {
                stream.write((document.length + "\n").getBytes(StandardCharsets.UTF_8));
                stream.write(document);
            }
        }
        Process process = new ProcessBuilder(command.toString())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor()).isZero();
        return List.of(Files.readString(out).split("\n", -1)).subList(0, documents.size());
    }
}
