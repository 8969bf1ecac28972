package dev.sro.runtime.operator;

import dev.sro.core.plugin.PluginTrust;
import dev.sro.runtime.PluginDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where plugins come from beside the folder of {@code --plugins}, and which of them are believed. Immutable.
 *
 * @param further folders into which plugins are dropped
 * @param digests lists of files that may be loaded; with neither these nor keys, all may
 * @param keys public keys of those who sign plugins
 * @param rescan how often the folders are looked at; zero for never
 */
record PluginSources(List<Path> further, List<Path> digests, List<Path> keys, Duration rescan) {

    static final PluginSources DEFAULTS = new PluginSources(List.of(), List.of(), List.of(), Duration.ofSeconds(30));

    PluginSources {
        further = List.copyOf(further);
        digests = List.copyOf(digests);
        keys = List.copyOf(keys);
    }

    /** Which files may be loaded, read now. */
    PluginTrust trust() {
        List<Path> lists = new ArrayList<>(digests);
        if (!digests.isEmpty() || !keys.isEmpty()) {
            PluginDirectory.shippedDigests().ifPresent(lists::add);
        }
        try {
            return PluginTrust.read(lists, keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
