package dev.sro.core.plugin;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was loaded, and what was not, at one moment. Immutable and thread-safe.
 *
 * <p>Holding a set keeps the class loaders of its plugins in memory: take a fresh one for every piece of work.
 */
public final class PluginSet implements Plugins {

    static final PluginSet EMPTY = new PluginSet(List.of(), List.of(), List.of());

    private final NavigableMap<String, LoadedPlugin> byName = new TreeMap<>();
    private final List<PluginFile> files;
    private final List<PluginRejection> rejections;

    PluginSet(Collection<LoadedPlugin> plugins, Collection<PluginFile> files, Collection<PluginRejection> rejections) {
        for (LoadedPlugin plugin : plugins) {
            LoadedPlugin other = byName.putIfAbsent(plugin.name(), plugin);
            if (other != null) {
                throw new IllegalArgumentException("two plugins are named \"" + plugin.name() + "\": "
                        + other.plugin().getClass().getName() + " and "
                        + plugin.plugin().getClass().getName());
            }
        }
        this.files =
                files.stream().sorted(Comparator.comparing(PluginFile::file)).toList();
        this.rejections = rejections.stream()
                .sorted(Comparator.comparing(PluginRejection::file)
                        .thenComparing(PluginRejection::code)
                        .thenComparing(PluginRejection::message))
                .toList();
    }

    @Override
    public Optional<LoadedPlugin> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    @Override
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** The plugins, sorted by name. */
    public List<LoadedPlugin> plugins() {
        return List.copyOf(byName.values());
    }

    /**
     * The files that are loaded, sorted by name: those that the {@link #plugins()} came from, and those without a
     * plugin of their own that another one depends on.
     */
    public List<PluginFile> files() {
        return files;
    }

    @Override
    public List<PluginRejection> rejections() {
        return rejections;
    }

    @Override
    public String toString() {
        return "PluginSet[plugins=" + names() + ", rejections="
                + rejections.stream().map(PluginRejection::message).toList() + "]";
    }
}
