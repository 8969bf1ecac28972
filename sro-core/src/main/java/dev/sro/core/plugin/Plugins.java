package dev.sro.core.plugin;

import dev.sro.api.AcceleratorPlugin;
import java.util.List;
import java.util.Optional;

/**
 * The plugins that the engine can ask, by the name in their descriptor.
 *
 * <p>Implementations are thread-safe and answer from memory. Only {@link PluginHost} changes its answers over time;
 * take {@link PluginHost#current()} where several answers have to fit together.
 */
public interface Plugins {

    /**
     * The plugin with that name.
     *
     * @param name the value of {@code spec.plugin.name}
     * @return empty when there is none; {@link #describeUnknown(String)} then says why
     */
    Optional<LoadedPlugin> find(String name);

    /** The names of all plugins, sorted. */
    List<String> names();

    /** What was found but not taken, sorted by file. */
    List<PluginRejection> rejections();

    /**
     * The rejections that probably are about the plugin of that name: their file name or message contains it, letter
     * case and punctuation aside.
     */
    default List<PluginRejection> rejectionsFor(String name) {
        return UnknownPlugin.related(name, rejections());
    }

    /**
     * A sentence for a user who asked for a plugin that {@link #find} does not know: the names that exist, and the
     * rejections that are related.
     */
    default String describeUnknown(String name) {
        return UnknownPlugin.describe(name, names(), rejections());
    }

    /**
     * Plugins handed over as objects.
     *
     * @throws IllegalArgumentException when two have the same name
     */
    static Plugins of(AcceleratorPlugin... plugins) {
        return ClassPathPlugins.load(List.of(plugins));
    }

    /**
     * The plugins that {@link java.util.ServiceLoader} finds from a class loader, looked up once. A provider that
     * cannot be created, or whose name is taken, becomes a rejection and does not stop the others; of two with the same
     * name the first found stays. The providers run without a deadline: the class path is trusted.
     *
     * @param loader where to look, usually the application's own class loader
     */
    static Plugins fromServiceLoader(ClassLoader loader) {
        return ClassPathPlugins.fromServiceLoader(loader);
    }
}
