package dev.sro.runtime;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files of this repository, whichever module's tests ask. Stateless. */
public final class Repository {
    private static final Path ROOT = root();

    private Repository() {}

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/index.md"))) {
            at = requireNonNull(at.getParent(), "docs/index.md");
        }
        return at;
    }

    /** A file or folder by its path in the repository; an empty one is that of the repository. */
    public static Path file(String path) {
        return ROOT.resolve(path);
    }
}
