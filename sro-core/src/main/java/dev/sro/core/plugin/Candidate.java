package dev.sro.core.plugin;

import java.util.List;
import java.util.Optional;

/**
 * A file that could be read, and what its descriptor says. Equal candidates have equal content.
 *
 * @param requires range of SRO versions, {@code *} for any
 * @param pluginClass the PF4J life-cycle class, if the descriptor names one
 */
record Candidate(
        PluginCopy staged,
        String id,
        String version,
        String requires,
        Optional<String> pluginClass,
        List<Dependency> dependencies) {

    /**
     * A plugin that must be loaded before.
     *
     * @param range versions that fit, {@code *} for any
     * @param optional whether the plugin also works without
     */
    record Dependency(String id, String range, boolean optional) {

        boolean fits(Candidate candidate) {
            return Versions.satisfies(candidate.version(), range);
        }
    }

    String file() {
        return staged.file();
    }

    /** True if it cannot work without the plugin of that id. */
    boolean needs(String otherId) {
        return dependencies.stream().anyMatch(dependency -> dependency.id().equals(otherId) && !dependency.optional());
    }

    PluginFile pluginFile() {
        return new PluginFile(file(), id, version, staged.sha256());
    }
}
