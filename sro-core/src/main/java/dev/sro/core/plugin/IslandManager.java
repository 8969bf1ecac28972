package dev.sro.core.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.pf4j.DefaultPluginDescriptor;
import org.pf4j.DefaultPluginManager;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginDescriptorFinder;
import org.pf4j.PluginLoader;
import org.pf4j.PluginStatusProvider;
import org.pf4j.RuntimeMode;

/**
 * PF4J for exactly one plugin.
 *
 * <p>One manager per plugin keeps PF4J's defects from spreading (docs/reference/plugin-loading.md): one bad dependency
 * stops all plugins or evicts an innocent one, and stopping several skips some. Dependencies are decided beforehand by
 * {@link Resolution}; the manager sees a descriptor without them, and the class loader gets the other plugins' loaders.
 * Not thread-safe.
 */
final class IslandManager extends DefaultPluginManager {

    private final Candidate candidate;

    IslandManager(
            Candidate candidate,
            String sroVersion,
            ClassLoader host,
            List<IslandClassLoader> dependencies,
            GuardedCalls calls) {
        super(List.of(candidate.staged().content().getParent()));
        this.candidate = candidate;
        setSystemVersion(Versions.release(sroVersion));
        pluginDescriptorFinder = new KnownDescriptor(candidate);
        pluginLoader = new ContentLoader(host, dependencies);
        pluginFactory = new GuardedPluginFactory(calls);
    }

    /** Loads without running any code of the plugin. */
    IslandClassLoader load() {
        loadPlugin(candidate.staged().content());
        return (IslandClassLoader) getPluginClassLoader(candidate.id());
    }

    /** Starts the life-cycle class, if there is one; what it threw, or null. */
    @Nullable Throwable start() {
        boolean started = startPlugin(candidate.id()).isStarted();
        Throwable error = getPlugin(candidate.id()).getFailedException();
        if (started) {
            return null;
        }
        return error == null ? new IllegalStateException("PF4J did not start the plugin and does not say why") : error;
    }

    /** Stops the plugin and closes its class loader. */
    void unload() {
        unloadPlugin(candidate.id());
    }

    @Override
    public RuntimeMode getRuntimeMode() {
        // Not what a system property of the embedder's process says.
        return RuntimeMode.DEPLOYMENT;
    }

    @Override
    protected PluginStatusProvider createPluginStatusProvider() {
        return new AlwaysEnabled();
    }

    /** No enabled.txt or disabled.txt: which plugins run is decided by which files are in the directory. */
    private static final class AlwaysEnabled implements PluginStatusProvider {
        @Override
        public boolean isPluginDisabled(String pluginId) {
            return false;
        }

        @Override
        public void disablePlugin(String pluginId) {}

        @Override
        public void enablePlugin(String pluginId) {}
    }

    /** The descriptor that {@link DescriptorReader} found, without dependencies. */
    private record KnownDescriptor(Candidate candidate) implements PluginDescriptorFinder {
        @Override
        public boolean isApplicable(Path pluginPath) {
            return true;
        }

        @Override
        public PluginDescriptor find(Path pluginPath) {
            return new DefaultPluginDescriptor(
                    candidate.id(),
                    "",
                    candidate.pluginClass().orElse("org.pf4j.Plugin"),
                    candidate.version(),
                    candidate.requires(),
                    "",
                    "");
        }
    }

    /** A jar as it is, or classes/ and lib/*.jar of an unpacked zip. */
    private final class ContentLoader implements PluginLoader {

        private final ClassLoader host;
        private final List<IslandClassLoader> dependencies;

        ContentLoader(ClassLoader host, List<IslandClassLoader> dependencies) {
            this.host = host;
            this.dependencies = dependencies;
        }

        @Override
        public boolean isApplicable(Path pluginPath) {
            return true;
        }

        @Override
        public ClassLoader loadPlugin(Path pluginPath, PluginDescriptor descriptor) {
            IslandClassLoader loader = new IslandClassLoader(IslandManager.this, descriptor, host, dependencies);
            classPath(pluginPath).forEach(path -> loader.addFile(path.toFile()));
            return loader;
        }
    }

    private static List<Path> classPath(Path content) {
        if (Files.isRegularFile(content)) {
            return List.of(content);
        }
        List<Path> jars = new ArrayList<>();
        Path libraries = content.resolve("lib");
        if (Files.isDirectory(libraries)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(libraries, "*.jar")) {
                entries.forEach(jars::add);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
        jars.sort(null);
        List<Path> classPath = new ArrayList<>();
        classPath.add(content.resolve("classes"));
        classPath.addAll(jars);
        return classPath;
    }
}
