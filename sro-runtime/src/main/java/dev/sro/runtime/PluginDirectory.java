package dev.sro.runtime;

import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginHostConfig;
import java.nio.file.Files;
import java.nio.file.Path;
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
     * @throws InputException if there is no such directory
     */
    public static PluginHost open(@Nullable Path chosen) {
        Path directory = chosen == null ? shipped() : chosen;
        if (!Files.isDirectory(directory)) {
            throw new InputException("--plugins " + directory, "there is no such directory");
        }
        return PluginHost.open(PluginHostConfig.builder()
                .directory(directory)
                .sroVersion(SroVersion.current())
                .build());
    }

    private static Path shipped() {
        String home = System.getProperty(HOME);
        if (home == null) {
            throw new InputException("--plugins", "is needed, because SRO was not started by its launcher");
        }
        return Path.of(home, "plugins");
    }
}
