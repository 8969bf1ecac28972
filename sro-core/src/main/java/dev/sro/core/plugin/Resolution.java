package dev.sro.core.plugin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Decides which candidates are loaded and in which order, from their descriptors alone. Pure.
 *
 * <p>Of files with one plugin id the highest version wins, and of equal versions the first file name. A plugin is
 * loaded after those it depends on, otherwise in the order of plugin ids. A candidate that cannot be loaded takes its
 * dependents with it and nothing else.
 */
final class Resolution {

    /** A candidate to load, with the ids of the plugins that it is linked to, all of them earlier in the order. */
    record Step(Candidate candidate, List<String> dependencies) {}

    private final Map<String, Candidate> chosen = new TreeMap<>();
    private final Set<String> rejectedIds = new HashSet<>();
    private final Map<Candidate, PluginRejection> unsatisfied = new LinkedHashMap<>();
    private final List<PluginRejection> rejections = new ArrayList<>();
    private final Set<String> contested = new HashSet<>();
    private final List<Step> steps = new ArrayList<>();

    private Resolution() {}

    static Resolution of(Collection<Candidate> candidates, String sroVersion) {
        Resolution resolution = new Resolution();
        List<Candidate> supported = candidates.stream()
                .filter(candidate -> resolution.supports(candidate, sroVersion))
                .toList();
        resolution.chooseOnePerId(supported);
        resolution.dropUnsatisfied();
        resolution.order();
        return resolution;
    }

    /** What to load, in this order. */
    List<Step> steps() {
        return List.copyOf(steps);
    }

    List<PluginRejection> rejections() {
        return List.copyOf(rejections);
    }

    /** The ids of which no file is loaded, although there is one. */
    Set<String> rejectedIds() {
        return Set.copyOf(rejectedIds);
    }

    /** The candidates that were rejected for their dependencies; {@link #rejections()} has them too. */
    Map<Candidate, PluginRejection> unsatisfied() {
        return new LinkedHashMap<>(unsatisfied);
    }

    /** True if another file with the same id was passed over, which could be loaded instead. */
    boolean hasAlternative(Candidate candidate) {
        return contested.contains(candidate.id());
    }

    private boolean supports(Candidate candidate, String sroVersion) {
        if (Versions.satisfies(sroVersion, candidate.requires())) {
            return true;
        }
        rejectedIds.add(candidate.id());
        rejections.add(PluginRejection.of(
                candidate.file(),
                PluginRejectionCodes.VERSION_UNSUPPORTED,
                "plugin " + candidate.id() + " " + candidate.version() + " requires SRO " + candidate.requires()
                        + ", and this is SRO " + sroVersion,
                "use a version of the plugin for this SRO, or the SRO that it requires"));
        return false;
    }

    private void chooseOnePerId(List<Candidate> candidates) {
        Comparator<Candidate> bestFirst = (a, b) -> Versions.compare(b.version(), a.version());
        List<Candidate> ranked = candidates.stream()
                .sorted(bestFirst.thenComparing(Candidate::file))
                .toList();
        for (Candidate candidate : ranked) {
            Candidate winner = chosen.putIfAbsent(candidate.id(), candidate);
            if (winner != null) {
                contested.add(candidate.id());
                rejections.add(PluginRejection.of(
                        candidate.file(),
                        PluginRejectionCodes.DUPLICATE_ID,
                        "it has the plugin id " + candidate.id() + " in version " + candidate.version() + "; "
                                + winner.file() + " has it in version " + winner.version()
                                + " and was taken (the highest version, then the first file name)",
                        "remove one of the two files"));
            }
        }
        // An unsupported file does not matter when another one of the same id is taken.
        rejectedIds.removeAll(chosen.keySet());
    }

    /** Each round may take away what another candidate depends on, so it is repeated until nothing changes. */
    private void dropUnsatisfied() {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Candidate candidate : List.copyOf(chosen.values())) {
                for (Candidate.Dependency dependency : candidate.dependencies()) {
                    if (!dependency.optional() && !isSatisfied(dependency)) {
                        reject(candidate, unsatisfied(candidate, dependency));
                        changed = true;
                        break;
                    }
                }
            }
        }
    }

    private boolean isSatisfied(Candidate.Dependency dependency) {
        Candidate target = chosen.get(dependency.id());
        return target != null && dependency.fits(target);
    }

    private PluginRejection unsatisfied(Candidate candidate, Candidate.Dependency dependency) {
        Candidate target = chosen.get(dependency.id());
        String needs = "plugin " + candidate.id() + " depends on plugin " + dependency.id() + " ";
        if (target != null) {
            return PluginRejection.of(
                    candidate.file(),
                    PluginRejectionCodes.DEPENDENCY_MISSING,
                    needs + dependency.range() + ", and " + target.file() + " has it in version " + target.version(),
                    "use versions of the two that fit each other");
        }
        if (rejectedIds.contains(dependency.id())) {
            return rejectedDependency(candidate, dependency.id());
        }
        return PluginRejection.of(
                candidate.file(),
                PluginRejectionCodes.DEPENDENCY_MISSING,
                needs + dependency.range() + ", which no readable file in the plugin directory has",
                "add the missing plugin, or remove this one");
    }

    static PluginRejection rejectedDependency(Candidate candidate, String dependencyId) {
        return PluginRejection.of(
                candidate.file(),
                PluginRejectionCodes.DEPENDENCY_REJECTED,
                "plugin " + candidate.id() + " depends on plugin " + dependencyId + ", which was rejected itself",
                "see the rejection of " + dependencyId);
    }

    private void reject(Candidate candidate, PluginRejection rejection) {
        chosen.remove(candidate.id());
        rejectedIds.add(candidate.id());
        unsatisfied.put(candidate, rejection);
        rejections.add(rejection);
    }

    /** Dependencies first, then by id. What cannot be ordered is in a circle, or depends on one. */
    private void order() {
        Map<String, Candidate> left = new TreeMap<>(chosen);
        Set<String> done = new LinkedHashSet<>();
        while (!left.isEmpty()) {
            Predicate<Candidate> ready = candidate -> done.containsAll(links(candidate));
            Candidate next = left.values().stream().filter(ready).findFirst().orElse(null);
            if (next == null) {
                rejectCycles(left);
                return;
            }
            left.remove(next.id());
            done.add(next.id());
            steps.add(new Step(next, links(next)));
        }
    }

    /** The dependencies that are there; an optional one that is missing or does not fit is left out. */
    private List<String> links(Candidate candidate) {
        return candidate.dependencies().stream()
                .filter(this::isSatisfied)
                .map(Candidate.Dependency::id)
                .distinct()
                .toList();
    }

    private void rejectCycles(Map<String, Candidate> left) {
        Map<Candidate, PluginRejection> verdicts = new LinkedHashMap<>();
        for (Candidate candidate : left.values()) {
            Set<String> reachable = reachable(candidate, left);
            if (reachable.contains(candidate.id())) {
                verdicts.put(candidate, inCycle(candidate, reachable));
            } else {
                String culprit = links(candidate).stream()
                        .filter(left::containsKey)
                        .findFirst()
                        .orElseThrow();
                verdicts.put(candidate, rejectedDependency(candidate, culprit));
            }
        }
        verdicts.forEach(this::reject);
    }

    private static PluginRejection inCycle(Candidate candidate, Set<String> reachable) {
        return PluginRejection.of(
                candidate.file(),
                PluginRejectionCodes.DEPENDENCY_CYCLE,
                "plugin " + candidate.id() + " depends on itself, through " + String.join(", ", reachable),
                "remove one of these Plugin-Dependencies");
    }

    private Set<String> reachable(Candidate start, Map<String, Candidate> among) {
        Set<String> seen = new LinkedHashSet<>();
        List<String> open = new ArrayList<>(links(start));
        while (!open.isEmpty()) {
            String id = open.remove(0);
            Candidate candidate = among.get(id);
            if (candidate != null && seen.add(id)) {
                open.addAll(links(candidate));
            }
        }
        return seen;
    }
}
