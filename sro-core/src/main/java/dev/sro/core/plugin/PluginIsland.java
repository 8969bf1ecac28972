package dev.sro.core.plugin;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.PluginDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One loaded file: its class loader, its PF4J life cycle and the accelerator plugins in it. Not thread-safe. */
final class PluginIsland {

    private static final Logger LOG = LoggerFactory.getLogger(PluginIsland.class);

    /** What every island of a host has in common. */
    record Environment(String sroVersion, ClassLoader hostLoader, GuardedCalls calls) {}

    private final Candidate candidate;
    private final List<PluginIsland> dependencies;
    private final IslandManager manager;
    private final IslandClassLoader loader;
    private List<LoadedPlugin> plugins = List.of();

    private PluginIsland(Candidate candidate, List<PluginIsland> dependencies, Environment environment) {
        this.candidate = candidate;
        this.dependencies = List.copyOf(dependencies);
        this.manager = new IslandManager(
                candidate,
                environment.sroVersion(),
                environment.hostLoader(),
                dependencies.stream().map(island -> island.loader).toList(),
                environment.calls());
        this.loader = manager.load();
    }

    /**
     * Loads and starts a candidate; leaves nothing behind when that fails.
     *
     * @param library whether another plugin depends on it, so that it need not have an accelerator plugin of its own
     */
    static PluginIsland load(
            Candidate candidate, List<PluginIsland> dependencies, boolean library, Environment environment)
            throws PluginRejectedException {
        PluginIsland island = null;
        try {
            island = new PluginIsland(candidate, dependencies, environment);
            island.start();
            island.plugins = island.create(environment.calls());
            island.requirePlugin(library);
            return island;
        } catch (PluginRejectedException rejected) {
            closeIfOpen(island);
            throw rejected;
        } catch (CallFailedException failed) {
            closeIfOpen(island);
            throw new PluginRejectedException(failed.rejection(candidate.file()));
        } catch (RuntimeException | LinkageError broken) {
            closeIfOpen(island);
            String code =
                    broken instanceof LinkageError ? PluginRejectionCodes.CLASS_MISSING : PluginRejectionCodes.FAILED;
            throw new PluginRejectedException(
                    new CallFailedException("loading the plugin", code, "threw " + Throwables.describe(broken))
                            .rejection(candidate.file()));
        }
    }

    private static void closeIfOpen(@Nullable PluginIsland island) {
        if (island != null) {
            island.close();
        }
    }

    private void start() throws CallFailedException {
        Throwable error = manager.start();
        if (error instanceof GuardedPluginFactory.LifeCycleException lifeCycle) {
            throw lifeCycle.failure();
        }
        if (error != null) {
            throw new CallFailedException(
                    "starting the plugin", PluginRejectionCodes.FAILED, "threw " + Throwables.describe(error));
        }
    }

    private List<LoadedPlugin> create(GuardedCalls calls) throws PluginRejectedException, CallFailedException {
        List<LoadedPlugin> created = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (Class<? extends AcceleratorPlugin> type : new Providers(candidate, loader).find(calls)) {
            AcceleratorPlugin plugin = calls.call(
                    "the constructor of " + type.getName(),
                    loader,
                    () -> type.getConstructor().newInstance());
            @Nullable PluginDescriptor descriptor = calls.call("descriptor() of " + type.getName(), loader, plugin::descriptor);
            if (descriptor == null) {
                throw new CallFailedException(
                        "descriptor() of " + type.getName(), PluginRejectionCodes.FAILED, "returned null");
            }
            if (!names.add(descriptor.name())) {
                throw new PluginRejectedException(PluginRejection.of(
                        candidate.file(),
                        PluginRejectionCodes.DUPLICATE_NAME,
                        "two plugins in it have the name \"" + descriptor.name() + "\"",
                        "give each AcceleratorPlugin its own PluginDescriptor.name"));
            }
            created.add(new LoadedPlugin(descriptor, plugin, Optional.of(candidate.pluginFile())));
        }
        return List.copyOf(created);
    }

    private void requirePlugin(boolean library) throws PluginRejectedException {
        if (plugins.isEmpty() && !library) {
            throw new PluginRejectedException(PluginRejection.of(
                    candidate.file(),
                    PluginRejectionCodes.NO_ACCELERATOR_PLUGIN,
                    "it has a plugin descriptor, but names no AcceleratorPlugin, and no other plugin depends on it",
                    "annotate the class with @AutoService(AcceleratorPlugin.class) and build with annotation processing"
                            + " on (from JDK 23 on it is off by default: -proc:full), or write META-INF/services/"
                            + AcceleratorPlugin.class.getName()));
        }
    }

    Candidate candidate() {
        return candidate;
    }

    String id() {
        return candidate.id();
    }

    List<PluginIsland> dependencies() {
        return dependencies;
    }

    List<LoadedPlugin> plugins() {
        return plugins;
    }

    /** True if loading this candidate with these dependencies would give the same again. */
    boolean isSameAs(Candidate other, List<PluginIsland> otherDependencies) {
        return candidate.equals(other) && dependencies.equals(otherDependencies);
    }

    /** Stops the plugin, under the deadline, and closes its class loader. Never throws. */
    void close() {
        try {
            manager.unload();
        } catch (RuntimeException | LinkageError broken) {
            LOG.atWarn().addKeyValue("file", candidate.file()).setCause(broken).log("A plugin could not be unloaded");
        }
    }
}
