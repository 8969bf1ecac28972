package dev.sro.core.plugin;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.PluginDescriptor;
import java.util.Objects;
import java.util.Optional;

/**
 * One accelerator plugin that is ready to be asked. Immutable and thread-safe, as far as the plugin itself is.
 *
 * <p>Holding one keeps its class loader in memory. After a reload the object still answers from the old code, and may
 * fail to load further classes of it; look the plugin up again for every piece of work.
 *
 * @param descriptor what {@link AcceleratorPlugin#descriptor()} returned when the plugin was loaded
 * @param plugin the vendor's object
 * @param file where it came from; empty for a plugin of the class path or one that was handed over as an object
 */
public record LoadedPlugin(PluginDescriptor descriptor, AcceleratorPlugin plugin, Optional<PluginFile> file) {

    /** Checks that nothing is missing. */
    public LoadedPlugin {
        Objects.requireNonNull(descriptor, "descriptor");
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(file, "file");
    }

    /** The name that {@code spec.plugin.name} refers to. */
    public String name() {
        return descriptor.name();
    }

    /** The class loader of the plugin's own classes: the context class loader for calls into it. */
    public ClassLoader classLoader() {
        return plugin.getClass().getClassLoader();
    }

    /** Name, version and origin, for messages and logs. */
    public String label() {
        return name() + " " + descriptor.version()
                + file.map(origin -> " (" + origin.file() + ")").orElse("");
    }
}
