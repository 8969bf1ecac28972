package dev.sro.runtime.dev;

import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginFile;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.core.plugin.PluginSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Loads plugins again that were built again, and says what came, went and could not be loaded. Confined to one thread. */
final class DevPlugins {

    /** What a build leaves beside a plugin. */
    private static final Pattern BESIDE = Pattern.compile("original-.*|.*-(sources|javadoc|tests|test-sources)\\.jar");

    private static final Pattern ARCHIVE = Pattern.compile("[^.].*\\.(jar|zip)");

    private final PluginHost host;
    private final FileWatch watch;
    private SortedMap<String, PluginFile> loaded = new TreeMap<>();
    private Set<PluginRejection> rejected = new HashSet<>();

    /**
     * @param folder that the host looks at
     */
    DevPlugins(PluginHost host, Path folder) {
        this.host = host;
        this.watch = new FileWatch(() -> archives(folder));
    }

    private static List<Path> archives(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file ->
                            ARCHIVE.matcher(String.valueOf(file.getFileName())).matches())
                    .toList();
        } catch (IOException e) {
            // Gone for as long as somebody cleans up and builds.
            return List.of();
        }
    }

    /** Looks again where files have changed; whether other plugins are in use now. */
    boolean look() {
        if (!watch.changed()) {
            return false;
        }
        PluginSet before = host.current();
        return host.rescan() != before;
    }

    /** A line for each plugin and file of which there is something new to say. */
    List<String> news() {
        List<String> lines = new ArrayList<>();
        SortedMap<String, PluginFile> now = new TreeMap<>();
        for (LoadedPlugin plugin : host.current().plugins()) {
            plugin.file().ifPresent(file -> {
                now.put(plugin.name(), file);
                PluginFile before = loaded.get(plugin.name());
                if (before == null) {
                    lines.add("plugin " + plugin.name() + " " + file.version() + " of " + file.file() + " is in use");
                } else if (!before.sha256().equals(file.sha256())) {
                    lines.add("plugin " + plugin.name() + " " + file.version() + " of " + file.file() + " is in use"
                            + " instead of " + before.version());
                }
            });
        }
        loaded.keySet().stream()
                .filter(name -> !now.containsKey(name))
                .forEach(name -> lines.add("plugin " + name + " is gone"));
        Set<PluginRejection> refused = new HashSet<>(host.current().rejections());
        host.current().rejections().stream()
                .filter(rejection -> !rejected.contains(rejection))
                .filter(rejection -> !BESIDE.matcher(rejection.file()).matches())
                .forEach(rejection -> lines.add(rejection.code() + ": " + rejection.message()));
        loaded = now;
        rejected = refused;
        return lines;
    }
}
