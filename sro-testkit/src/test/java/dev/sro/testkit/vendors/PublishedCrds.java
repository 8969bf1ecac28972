package dev.sro.testkit.vendors;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** CRDs of other projects, as they publish them. Stateless. */
public final class PublishedCrds {

    private PublishedCrds() {}

    /** Where {@code sro.corpus} or SRO_CORPUS say, or in the shared folder beside the checkout. */
    public static Optional<Path> directory() {
        String given = System.getProperty("sro.corpus", System.getenv("SRO_CORPUS"));
        Path place = given != null && !given.isEmpty()
                ? Path.of(given)
                : Path.of("..", "..", "shared", "corpus").toAbsolutePath().normalize();
        return Optional.of(place.resolve("crds")).filter(Files::isDirectory);
    }
}
