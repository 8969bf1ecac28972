package dev.sro.runtime.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A bundle of which nothing is missing, as a publisher would have it made. Stateless. */
public final class GoodBundle {

    /** The file with the ClusterServiceVersion. */
    public static final String CSV = "manifests/special-resource-operator.clusterserviceversion.yaml";

    private static final String ABOUT = """
        maintainers: [{name: Ada Example, email: ada@example.com}]
        links: [{name: Documentation, url: "https://example.com/sro"}]
        repository: https://example.com/sro
        """;

    private GoodBundle() {}

    /** Plugins, and a digest for each image that they and SRO may use. */
    public static Path digests(Path folder, Path plugins) throws IOException {
        List<String> lines = new ArrayList<>(Cli.run("plugins", "--images", "--plugins", plugins.toString())
                .out()
                .lines()
                .toList());
        assertThat(lines).isNotEmpty();
        return Files.writeString(
                folder.resolve("digests"),
                lines.stream()
                        .map(image -> image + " sha256:" + "%064x".formatted(Integer.toUnsignedLong(image.hashCode())))
                        .collect(Collectors.joining("\n", "# of a registry\n", "\n")));
    }

    /** Writes it into a folder; nothing is to be said of it. */
    public static void write(Path folder, Path plugins, Path to, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of(
                "bundle",
                to.toString(),
                "--plugins",
                plugins.toString(),
                "--bundle-version",
                "0.2.0",
                "--image",
                "registry.example/sro@sha256:" + "a".repeat(64),
                "--images",
                digests(folder, plugins).toString(),
                "--about",
                Files.writeString(folder.resolve("about.yaml"), ABOUT).toString(),
                "--created-at",
                "2026-01-31T12:00:00Z",
                "--require-digests",
                "--strict"));
        args.addAll(List.of(more));
        Cli cli = Cli.run(args.toArray(String[]::new));
        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
    }
}
