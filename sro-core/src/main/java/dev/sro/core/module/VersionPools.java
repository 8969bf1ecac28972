package dev.sro.core.module;

import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.pool.Pools;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pools that stand for versions, and what is rendered for them put into order. Stateless. */
final class VersionPools {

    private static final int MAX_NAME = 63;

    private VersionPools() {}

    /** The name of the pool of a value: what a label can hold. */
    static String name(String value) {
        String clean =
                value.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-").replaceAll("^[-.]+|[-.]+$", "");
        return MetadataKeys.fit(clean.isEmpty() ? "version" : clean, MAX_NAME);
    }

    static Pool create(ModuleVersion version, String architecture) {
        return named(version.value(), version.pool(architecture));
    }

    /** Of a value of which nothing is known. */
    static Pool unknown(String value, String architecture) {
        return named(value, Pools.create(new KernelVersion("unknown"), new OsRelease("rhcos", ""), architecture));
    }

    private static Pool named(String value, Pool pool) {
        return new Pool(
                name(value), pool.affinityHash(), pool.kernel(), pool.os(), pool.architecture(), pool.key(), List.of());
    }

    /** The states of all versions together, each rendered by itself: what several have alike is no mistake here. */
    static List<DesiredState> merged(List<List<DesiredState>> renderings) {
        List<DesiredState> merged = new ArrayList<>(renderings.get(0));
        for (List<DesiredState> more : renderings.subList(1, renderings.size())) {
            for (int i = 0; i < merged.size(); i++) {
                DesiredState one = merged.get(i);
                Map<String, List<Desired>> byPool = new HashMap<>(one.byPool());
                byPool.putAll(more.get(i).byPool());
                Map<String, Problem> problems = new HashMap<>(one.problems());
                problems.putAll(more.get(i).problems());
                merged.set(i, new DesiredState(one.state(), one.before(), one.shared(), byPool, problems));
            }
        }
        return merged;
    }

    /**
     * The states with the owner's own name in all objects, those objects that several versions have alike as shared ones, and the
     * versions that could not be found out.
     *
     * @param owner name of the module
     * @param failed why, by the name of the pool
     */
    static List<DesiredState> settled(List<DesiredState> states, String owner, SortedMap<String, Problem> failed) {
        Set<ObjectRef> several = several(states);
        List<DesiredState> settled = new ArrayList<>();
        Set<ObjectRef> seen = new HashSet<>();
        for (DesiredState state : states) {
            List<Desired> shared = new ArrayList<>();
            state.shared().forEach(desired -> shared.add(settled(desired, owner, false)));
            Map<String, List<Desired>> byPool = new LinkedHashMap<>();
            new TreeMap<>(state.byPool()).forEach((pool, objects) -> {
                List<Desired> own = new ArrayList<>();
                for (Desired desired : objects) {
                    if (!several.contains(desired.object().ref())) {
                        own.add(settled(desired, owner, false));
                    } else if (seen.add(desired.object().ref())) {
                        shared.add(settled(desired, owner, true));
                    }
                }
                byPool.put(pool, own);
            });
            Map<String, Problem> problems = new HashMap<>(state.problems());
            failed.forEach((pool, problem) -> {
                byPool.put(pool, List.of());
                if (settled.isEmpty()) {
                    problems.put(pool, problem);
                }
            });
            settled.add(new DesiredState(state.state(), state.before(), shared, byPool, problems));
        }
        return settled;
    }

    /** The same with the first state's objects as those of the module. */
    static List<DesiredState> owned(List<DesiredState> states, String owner) {
        List<DesiredState> all = new ArrayList<>(states);
        DesiredState first = states.get(0);
        List<Desired> shared = first.shared().stream()
                .map(desired -> settled(desired, owner, false))
                .toList();
        all.set(0, first.with(shared, first.byPool(), first.problems()));
        return all;
    }

    private static Set<ObjectRef> several(List<DesiredState> states) {
        Map<ObjectRef, Set<String>> pools = new HashMap<>();
        states.forEach(state -> state.byPool()
                .forEach((pool, objects) -> objects.forEach(
                        desired -> pools.computeIfAbsent(desired.object().ref(), unused -> new LinkedHashSet<>())
                                .add(pool))));
        pools.values().removeIf(names -> names.size() < 2);
        return pools.keySet();
    }

    private static Desired settled(Desired desired, String owner, boolean shared) {
        KubeObject object = desired.object().edit(copy -> {
            Map<String, Object> annotations = ValueTrees.ensureMap(copy, "metadata", "annotations");
            annotations.remove(MetadataKeys.APPLIED);
            if (shared) {
                annotations.remove(MetadataKeys.POOL);
            }
            for (Map<String, Object> reference : ValueTrees.maps(copy, "metadata", "ownerReferences")) {
                reference.replace("name", Modules.inventory(owner), owner);
            }
        });
        return new Desired(AppliedDigest.stamp(object), desired.state(), shared ? null : desired.pool());
    }
}
