package dev.sro.core.plugin;

import dev.sro.core.model.ValueStyle;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.immutables.value.Value;

/** Where a {@link PluginHost} finds plugins, and what it lets them do. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class PluginHostConfig {

    private static final String VERSION = "version.properties";

    PluginHostConfig() {}

    /**
     * The directory whose {@code *.jar} and {@code *.zip} files are plugins. Other files, names that begin with a dot,
     * and sub-directories are left alone; symbolic links to files are followed. It is only read.
     */
    public abstract Path directory();

    /** Further directories, each as {@link #directory}; of equal versions the one of an earlier directory counts. */
    public abstract List<Path> furtherDirectories();

    /** All directories, in their order. */
    List<Path> directories() {
        List<Path> all = new ArrayList<>(List.of(directory()));
        all.addAll(furtherDirectories());
        return all;
    }

    /**
     * Where private copies of the plugins are kept while they are loaded. Must not be shared with another host; it is
     * created when missing. What the host left there before is deleted at start, and its own files at close. Empty: a
     * new directory under {@code java.io.tmpdir}, which is deleted at close.
     */
    public abstract Optional<Path> workDirectory();

    /**
     * The version of SRO that {@code Plugin-Requires} is checked against, a semantic version; a trailing
     * {@code -SNAPSHOT} is cut off, so that 2.0.0-SNAPSHOT satisfies {@code >=2.0.0}. The default is the version that
     * this library was built as.
     */
    @Value.Default
    public String sroVersion() {
        // Not the manifest's: where an application is packed into one jar, that is the application's.
        try (InputStream in = PluginHostConfig.class.getResourceAsStream(VERSION)) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(in, VERSION));
            return Objects.requireNonNull(properties.getProperty("version"), VERSION);
        } catch (IOException e) {
            throw new UncheckedIOException(VERSION + " cannot be read", e);
        }
    }

    /**
     * Runs a plugin's code while it is loaded and stopped, one task at a time; must not run it in the calling thread,
     * or there is no deadline. The default starts a daemon thread per call, which ends with the call.
     */
    @Value.Default
    public Executor executor() {
        return GuardedCalls.DAEMON_THREADS;
    }

    /**
     * How long one call into a plugin may take while it is loaded or stopped: its constructors, {@code start()},
     * {@code descriptor()}, {@code stop()}. A thread that exceeds it is interrupted and left behind.
     */
    @Value.Default
    public Duration callDeadline() {
        return Duration.ofSeconds(10);
    }

    /**
     * SHA-256 digests (64 hexadecimal digits) of the files that may be loaded. Empty: every file may. An empty set: none
     * may.
     */
    public abstract Optional<Set<String>> allowedSha256();

    /**
     * Which files may be loaded; asked at each look at the directories, so that a list may grow while SRO runs. It may throw an {@link
     * java.io.UncheckedIOException}: then nothing new is loaded. By default what {@link #allowedSha256} says.
     */
    @Value.Default
    public Supplier<PluginTrust> trust() {
        PluginTrust fixed = allowedSha256().map(PluginTrust::ofDigests).orElse(PluginTrust.ANY);
        return () -> fixed;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    @Value.Check
    void check() {
        if (!Versions.isValid(sroVersion())) {
            throw new IllegalArgumentException(
                    "PluginHostConfig.sroVersion: \"" + sroVersion() + "\" must be a semantic version such as 1.2.3");
        }
        if (callDeadline().isNegative() || callDeadline().isZero()) {
            throw new IllegalArgumentException("PluginHostConfig.callDeadline: must be positive, is " + callDeadline());
        }
    }

    /** Builds a {@link PluginHostConfig}. Not thread-safe. */
    public static final class Builder extends ImmutablePluginHostConfig.Builder {
        Builder() {}
    }
}
