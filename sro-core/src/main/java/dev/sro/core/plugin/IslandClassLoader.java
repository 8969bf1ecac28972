package dev.sro.core.plugin;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.pf4j.PluginClassLoader;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginManager;

/**
 * The class loader of one plugin: the {@link SharedClasses} from the host, then the plugin's own, then those of the
 * plugins that it depends on, then whatever else the host has. Thread-safe, as class loaders are.
 */
final class IslandClassLoader extends PluginClassLoader {

    static {
        registerAsParallelCapable();
    }

    private final List<IslandClassLoader> dependencies;

    IslandClassLoader(
            PluginManager manager,
            PluginDescriptor descriptor,
            ClassLoader host,
            List<IslandClassLoader> dependencies) {
        super(manager, descriptor, host);
        this.dependencies = List.copyOf(dependencies);
    }

    @Override
    protected boolean shouldDelegateToParent(String className) {
        return SharedClasses.hostOnly(className);
    }

    @Override
    public Class<?> loadClass(String className) throws ClassNotFoundException {
        if (SharedClasses.hostFirst(className)) {
            try {
                return getParent().loadClass(className);
            } catch (ClassNotFoundException onlyInThePlugin) {
                return super.loadClass(className);
            }
        }
        return super.loadClass(className);
    }

    /** A dependency's own classes only: the host's come later, and directly. */
    @Override
    protected @Nullable Class<?> loadClassFromDependencies(String className) {
        for (IslandClassLoader dependency : dependencies) {
            Class<?> found = dependency.ownClass(className);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Class<?> ownClass(String className) {
        synchronized (getClassLoadingLock(className)) {
            Class<?> loaded = findLoadedClass(className);
            if (loaded != null) {
                return loaded;
            }
            try {
                return findClass(className);
            } catch (ClassNotFoundException notMine) {
                return loadClassFromDependencies(className);
            }
        }
    }

    @Override
    protected @Nullable URL findResourceFromDependencies(String name) {
        for (IslandClassLoader dependency : dependencies) {
            URL found = dependency.findResource(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Override
    protected Collection<URL> findResourcesFromDependencies(String name) throws IOException {
        List<URL> found = new ArrayList<>();
        for (IslandClassLoader dependency : dependencies) {
            found.addAll(Collections.list(dependency.findResources(name)));
        }
        return found;
    }
}
