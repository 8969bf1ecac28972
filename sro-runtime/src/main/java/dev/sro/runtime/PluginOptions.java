package dev.sro.runtime;

import dev.sro.core.plugin.PluginHost;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says where plugins are, for every command that loads some. Filled by the command line parser. */
public final class PluginOptions {

    @Option(
            names = "--plugins",
            paramLabel = "DIR",
            defaultValue = "${env:SRO_PLUGINS}",
            description = "Folder with plugin jars. Default: the plugins that come with SRO.")
    private @Nullable Path plugins;

    /** Filled by the command line parser. */
    public PluginOptions() {}

    /** Empty for those that come with SRO. */
    public Optional<Path> directory() {
        return Optional.ofNullable(plugins);
    }

    /**
     * Loads the plugins; the caller closes them.
     *
     * @throws UnusableInputException if there is no such directory
     */
    public PluginHost open() {
        return PluginDirectory.open(plugins);
    }
}
