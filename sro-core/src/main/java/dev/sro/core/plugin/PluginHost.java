package dev.sro.core.plugin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads accelerator plugins from a directory of jars and zips, each in a class loader of its own.
 *
 * <p>A file is rejected alone: it never stops another one, apart from those that depend on it, and the
 * {@link PluginRejection} says why. Nothing watches the directories; call {@link #rescan()}. No code of a plugin runs
 * outside of {@link #open}, {@link #rescan} and {@link #close}, each of which gives every call into a plugin a deadline.
 *
 * <p>Thread-safe. Lookups read an immutable snapshot without a lock; rescans and the close run one at a time.
 */
public final class PluginHost implements Plugins, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PluginHost.class);

    private final PluginHostConfig config;
    private final PluginCopies staging;
    private final PluginIsland.Environment environment;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private Rescan.Result result = Rescan.Result.NOTHING;

    /** Guarded by the lock. */
    private boolean closed;

    private volatile PluginSet current = PluginSet.EMPTY;

    private PluginHost(PluginHostConfig config, PluginCopies staging) {
        this.config = config;
        this.staging = staging;
        this.environment = new PluginIsland.Environment(
                config.sroVersion(),
                PluginHost.class.getClassLoader(),
                new GuardedCalls(config.executor(), config.callDeadline()));
    }

    /**
     * Loads what is in the directory. Files that cannot be loaded, or a missing directory, are rejections in
     * {@link #current()}, not exceptions.
     *
     * @throws IllegalStateException when another host uses the work directory
     * @throws java.io.UncheckedIOException when the work directory cannot be created or written
     */
    public static PluginHost open(PluginHostConfig config) {
        PluginHost host = new PluginHost(config, new PluginCopies(WorkDirectory.open(config.workDirectory())));
        try {
            host.rescan();
            return host;
        } catch (RuntimeException | Error broken) {
            // Gives the work directory back.
            host.close();
            throw broken;
        }
    }

    /** What is loaded now. The answer does not change any more; ask again for every piece of work. */
    public PluginSet current() {
        return current;
    }

    /**
     * Looks at the directory again: loads what is new, replaces what changed together with what depends on it, and stops
     * what is gone. A changed file that is rejected leaves the copy loaded before in use. Returns after old plugins have
     * been stopped; work that still runs in one of them may fail to load further classes.
     *
     * @return the new {@link #current()}; the same object when nothing changed
     * @throws IllegalStateException after {@link #close()}
     */
    public PluginSet rescan() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("this PluginHost is closed");
            }
            Rescan.Result before = result;
            Rescan.Result after = new Rescan(staging, environment, before).run(config.directories(), config.trust());
            result = after;
            if (changed(before, after)) {
                current = snapshot(after);
                report(before, after);
            }
            Set<PluginIsland> inUse = after.inUse();
            stop(before, inUse);
            staging.keepOnly(inUse.stream()
                    .map(island -> island.candidate().staged().sha256())
                    .collect(Collectors.toSet()));
            return current;
        } finally {
            lock.unlock();
        }
    }

    private static boolean changed(Rescan.Result before, Rescan.Result after) {
        return !before.islands().equals(after.islands())
                || !new HashSet<>(before.rejections()).equals(new HashSet<>(after.rejections()));
    }

    private static PluginSet snapshot(Rescan.Result result) {
        return new PluginSet(
                result.islands().stream()
                        .flatMap(island -> island.plugins().stream())
                        .toList(),
                result.islands().stream()
                        .map(island -> island.candidate().pluginFile())
                        .toList(),
                result.rejections());
    }

    private static void report(Rescan.Result before, Rescan.Result after) {
        after.islands().stream()
                .filter(island -> !before.islands().contains(island))
                .flatMap(island -> island.plugins().stream())
                .forEach(plugin -> LOG.atInfo()
                        .addKeyValue("plugin", plugin.name())
                        .addKeyValue("version", plugin.descriptor().version())
                        .addKeyValue("file", plugin.file().map(PluginFile::file).orElse(""))
                        .addKeyValue(
                                "sha256", plugin.file().map(PluginFile::sha256).orElse(""))
                        .log("Plugin loaded"));
        after.rejections().stream()
                .filter(rejection -> !before.rejections().contains(rejection))
                .forEach(rejection -> LOG.atWarn()
                        .addKeyValue("file", rejection.file())
                        .addKeyValue("code", rejection.code())
                        .log("Plugin rejected: {}", rejection.message()));
    }

    /** Dependents before what they depend on. */
    private static void stop(Rescan.Result before, Set<PluginIsland> stay) {
        List<PluginIsland> stale = new ArrayList<>(before.inUse());
        stale.removeAll(stay);
        Collections.reverse(stale);
        stale.forEach(PluginIsland::close);
    }

    @Override
    public Optional<LoadedPlugin> find(String name) {
        return current.find(name);
    }

    @Override
    public List<String> names() {
        return current.names();
    }

    @Override
    public List<PluginRejection> rejections() {
        return current.rejections();
    }

    /** Stops every plugin and deletes the private copies. Afterwards nothing is loaded. Does nothing when repeated. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            Rescan.Result before = result;
            result = Rescan.Result.NOTHING;
            current = PluginSet.EMPTY;
            stop(before, Set.of());
            staging.close();
        } finally {
            lock.unlock();
        }
    }
}
