package dev.sro.core.plugin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Loads islands, but never the same twice: what was loaded before is handed out again, and what failed before fails
 * again without running its code. Not thread-safe.
 */
final class IslandPool {

    private final PluginIsland.Environment environment;
    private final List<PluginIsland> before;
    private final List<PluginIsland> fresh = new ArrayList<>();
    private final Map<String, PluginRejection> failuresBefore;
    private final Map<String, PluginRejection> failures = new HashMap<>();

    IslandPool(
            PluginIsland.Environment environment,
            List<PluginIsland> before,
            Map<String, PluginRejection> failuresBefore) {
        this.environment = environment;
        this.before = before;
        this.failuresBefore = failuresBefore;
    }

    PluginIsland get(Candidate candidate, List<PluginIsland> dependencies, boolean library)
            throws PluginRejectedException {
        Optional<PluginIsland> same = Stream.concat(before.stream(), fresh.stream())
                .filter(island -> island.isSameAs(candidate, dependencies))
                .filter(island -> library || !island.plugins().isEmpty())
                .findFirst();
        if (same.isPresent()) {
            return same.get();
        }
        String attempt = attempt(candidate, dependencies, library);
        PluginRejection known = failures.getOrDefault(attempt, failuresBefore.get(attempt));
        try {
            if (known != null) {
                // Its code ran once and failed, and did not change; one that hangs would cost a thread each time.
                throw new PluginRejectedException(known);
            }
            PluginIsland island = PluginIsland.load(candidate, dependencies, library, environment);
            fresh.add(island);
            return island;
        } catch (PluginRejectedException rejected) {
            failures.put(attempt, rejected.rejection());
            throw rejected;
        }
    }

    /** Everything that the outcome of loading depends on, as text, so that it keeps no class loader in memory. */
    private static String attempt(Candidate candidate, List<PluginIsland> dependencies, boolean library) {
        return candidate + " library=" + library + " with "
                + dependencies.stream()
                        .map(island -> attempt(island.candidate(), island.dependencies(), true))
                        .toList();
    }

    /** The failures that this pool met, for the next one. */
    Map<String, PluginRejection> failures() {
        return Map.copyOf(failures);
    }

    /** Closes what this pool loaded and nobody took; dependents before what they depend on. */
    void closeUnused(Collection<PluginIsland> used) {
        for (int i = fresh.size() - 1; i >= 0; i--) {
            if (!used.contains(fresh.get(i))) {
                fresh.get(i).close();
            }
        }
    }
}
