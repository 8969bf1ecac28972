package dev.sro.runtime;

import dev.sro.core.client.source.ClusterRegistries;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The option {@code --registries-conf}. Stateless. */
public final class RegistriesConf {
    private RegistriesConf() {}

    /**
     * The file with the mirrors of registries: the given one, and else that of container runtimes, which need not be there.
     *
     * @param given what the user names; null for nothing
     * @throws UnusableInputException if the given one cannot be read
     */
    public static Path given(@Nullable Path given) {
        if (given == null) {
            return ClusterRegistries.REGISTRIES_CONF;
        }
        if (!Files.isReadable(given)) {
            throw new UnusableInputException(
                    "--registries-conf " + given, "there is no such file, or it cannot be read");
        }
        return given;
    }
}
