package dev.sro.runtime;

import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginHostConfig;
import dev.sro.core.plugin.PluginTrust;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where plugins are loaded from. Stateless. */
public final class PluginDirectory {

    /** Set by the launcher: the folder with {@code lib} and {@code plugins}. */
    private static final String HOME = "sro.home";

    private PluginDirectory() {}

    /**
     * Loads the plugins.
     *
     * @param chosen by the user; null for those that come with SRO
     * @throws UnusableInputException if there is no such directory
     */
    public static PluginHost open(@Nullable Path chosen) {
        return open(chosen, List.of(), () -> PluginTrust.ANY);
    }

    /**
     * The same with more directories, which need not be there yet.
     *
     * @param trust which files may be loaded; asked at each look
     * @throws UnusableInputException if there is no such directory as was chosen
     */
    public static PluginHost open(@Nullable Path chosen, List<Path> further, Supplier<PluginTrust> trust) {
        Path directory = chosen == null ? shipped() : chosen;
        if (!Files.isDirectory(directory)) {
            throw new UnusableInputException("--plugins " + directory, "there is no such directory");
        }
        return PluginHost.open(PluginHostConfig.builder()
                .directory(directory)
                .furtherDirectories(further)
                .trust(trust)
                .sroVersion(SroVersion.current())
                .build());
    }

    /** The digests of the plugins that come with SRO: who trusts the image trusts them. */
    public static Optional<Path> shippedDigests() {
        String home = System.getProperty(HOME);
        return Optional.ofNullable(home)
                .map(folder -> Path.of(folder, "plugins", "PLUGINS.sha256"))
                .filter(Files::isRegularFile);
    }

    /**
     * The folder of the plugins that come with SRO.
     *
     * @throws UnusableInputException where SRO was not started by its launcher
     */
    public static Path shipped() {
        String home = System.getProperty(HOME);
        if (home == null) {
            throw new UnusableInputException("--plugins", "is needed, because SRO was not started by its launcher");
        }
        return Path.of(home, "plugins");
    }
}
