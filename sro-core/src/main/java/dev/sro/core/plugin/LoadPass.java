package dev.sro.core.plugin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Carries out one {@link Resolution}: loads its steps in order, or reuses what is loaded already. Used once. */
final class LoadPass {

    private final IslandPool pool;
    private final Map<String, PluginIsland> islands = new LinkedHashMap<>();
    private final Map<String, String> fileOfName = new HashMap<>();
    private final Map<Candidate, PluginRejection> rejected = new LinkedHashMap<>();

    LoadPass(IslandPool pool) {
        this.pool = pool;
    }

    void run(Resolution resolution) {
        Set<String> libraries = resolution.steps().stream()
                .flatMap(step -> step.dependencies().stream())
                .collect(Collectors.toSet());
        resolution
                .steps()
                .forEach(step -> load(step, libraries.contains(step.candidate().id())));
    }

    /** What was loaded, dependencies first. */
    Collection<PluginIsland> islands() {
        return new LinkedHashSet<>(islands.values());
    }

    /** What failed although its descriptor was fine. */
    Map<Candidate, PluginRejection> rejected() {
        return new LinkedHashMap<>(rejected);
    }

    /** Adds an island that is loaded already, unless a plugin with its id or one of its names is there. */
    boolean keep(PluginIsland old) {
        if (islands.containsKey(old.id())
                || old.plugins().stream().anyMatch(plugin -> fileOfName.containsKey(plugin.name()))) {
            return false;
        }
        add(old);
        return true;
    }

    private void add(PluginIsland island) {
        islands.put(island.id(), island);
        island.plugins()
                .forEach(plugin ->
                        fileOfName.put(plugin.name(), island.candidate().file()));
    }

    private void load(Resolution.Step step, boolean library) {
        Candidate candidate = step.candidate();
        List<PluginIsland> dependencies = new ArrayList<>();
        for (String id : step.dependencies()) {
            PluginIsland dependency = islands.get(id);
            if (dependency != null) {
                dependencies.add(dependency);
            } else if (candidate.needs(id)) {
                rejected.put(candidate, Resolution.rejectedDependency(candidate, id));
                return;
            }
        }
        try {
            PluginIsland island = pool.get(candidate, dependencies, library);
            requireFreeNames(island);
            add(island);
        } catch (PluginRejectedException failed) {
            rejected.put(candidate, failed.rejection());
        }
    }

    /** The first in load order has a name: dependencies first, then by plugin id. The same order after a restart. */
    private void requireFreeNames(PluginIsland island) throws PluginRejectedException {
        for (LoadedPlugin plugin : island.plugins()) {
            String owner = fileOfName.get(plugin.name());
            if (owner != null) {
                throw new PluginRejectedException(PluginRejection.of(
                        island.candidate().file(),
                        PluginRejectionCodes.DUPLICATE_NAME,
                        "its plugin has the name \"" + plugin.name() + "\", which the one in " + owner
                                + " already has (dependencies come first, then the smaller plugin id)",
                        "remove one of the two files"));
            }
        }
    }
}
