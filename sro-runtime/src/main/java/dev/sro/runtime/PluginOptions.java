package dev.sro.runtime;

import dev.sro.core.plugin.PluginHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says where plugins are, for every command that loads some. Filled by the command line parser. */
public final class PluginOptions {

    @Option(
            names = "--plugins",
            paramLabel = "DIR",
            defaultValue = "${env:SRO_PLUGINS}",
            description = "Folder with plugin jars, which replace the plugins that come with SRO. Default: these.")
    private @Nullable Path plugins;

    @Option(
            names = "--plugin-deadline",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_PLUGIN_DEADLINE:-5}",
            description = "Longest call of a plugin. Default: 5.")
    private int deadline;

    /** Filled by the command line parser. */
    public PluginOptions() {}

    /** Empty for those that come with SRO. */
    public Optional<Path> directory() {
        return Optional.ofNullable(plugins);
    }

    /**
     * Longest call of a plugin.
     *
     * @throws UnusableInputException if that is no time
     */
    public Duration deadline() {
        if (deadline < 1) {
            throw new UnusableInputException("--plugin-deadline " + deadline, "must be at least 1");
        }
        return Duration.ofSeconds(deadline);
    }

    /** Calls the plugins, with that deadline; the caller closes it. */
    public PluginCalls calls() {
        return new PluginCalls(deadline());
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
