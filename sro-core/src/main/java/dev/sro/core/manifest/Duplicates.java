package dev.sro.core.manifest;

import dev.sro.api.Problem;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects that two states, or two pools, or a state and a hook, both want: each would undo what the other wrote. In recipes
 * whose original applied one state after the other the later object counts, from the first of the states on, so that nothing goes
 * to and fro; a workload, which may wait for what is between them, in the last one. Lives for one rendering.
 */
final class Duplicates {

    /** Where an object is wanted. */
    private record Place(int state, String pool, int index) {}

    /** What is left of a state; null in a list is what went into another state. */
    private record Left(
            DesiredState state, Map<String, List<@Nullable Desired>> byPool, Map<String, Problem> problems) {}

    private final Recipe recipe;
    private final Map<ObjectRef, Place> seen = new HashMap<>();
    private final List<Left> all = new ArrayList<>();

    /** The state of each hook. */
    private final Map<ObjectRef, String> hooks = new HashMap<>();

    private Duplicates(Recipe recipe) {
        this.recipe = recipe;
    }

    /** The states with each object once; in a recipe that may not have it twice the later state gets a problem. */
    static List<DesiredState> without(List<DesiredState> states, Recipe recipe) {
        Duplicates duplicates = new Duplicates(recipe);
        states.forEach(state -> state.hooks()
                .forEach(hook -> duplicates.hooks.putIfAbsent(
                        hook.object().ref(), state.state().id())));
        states.forEach(duplicates::add);
        return duplicates.all.stream().map(Duplicates::complete).toList();
    }

    private static DesiredState complete(Left left) {
        Map<String, List<Desired>> byPool = new LinkedHashMap<>();
        left.byPool.forEach((pool, objects) ->
                byPool.put(pool, objects.stream().filter(Objects::nonNull).toList()));
        List<Desired> shared = Objects.requireNonNullElse(byPool.remove(""), List.of());
        return left.state.with(shared, byPool, left.problems);
    }

    private void add(DesiredState state) {
        all.add(new Left(state, new LinkedHashMap<>(), new HashMap<>(state.problems())));
        keep(state.shared(), "");
        state.byPool().keySet().stream()
                .sorted()
                .forEach(pool -> keep(state.byPool().getOrDefault(pool, List.of()), pool));
    }

    private void keep(List<Desired> objects, String pool) {
        Left here = all.get(all.size() - 1);
        List<@Nullable Desired> kept = new ArrayList<>();
        here.byPool.put(pool, kept);
        for (Desired object : objects) {
            ObjectRef ref = object.object().ref();
            String hook = hooks.get(ref);
            Place before = hook == null ? seen.putIfAbsent(ref, new Place(all.size() - 1, pool, kept.size())) : null;
            if (hook == null && before == null) {
                kept.add(object);
            } else if (before != null && recipe.sharesFirst() && before.pool.equals(pool)) {
                later(before, object, kept, pool);
            } else {
                String where = before == null ? "a hook in " + hook : named(before);
                String id = here.state.state().id() + (pool.isEmpty() ? "" : " in pool " + pool);
                here.problems.putIfAbsent(
                        pool,
                        RenderException.vendor(
                                        "DuplicateObject",
                                        id + ": " + ref + " is made by " + where + " already; remove one of them")
                                .problem());
            }
        }
    }

    private String named(Place place) {
        String id = all.get(place.state).state.state().id();
        return id + (place.pool.isEmpty() ? "" : " in pool " + place.pool);
    }

    private void later(Place before, Desired object, List<@Nullable Desired> kept, String pool) {
        List<@Nullable Desired> there =
                Objects.requireNonNull(all.get(before.state).byPool.get(before.pool));
        Desired former = Objects.requireNonNull(there.get(before.index));
        if (same(former.object(), object.object())) {
            return;
        }
        String here = all.get(all.size() - 1).state.state().id();
        recipe.warn(object.object().ref() + " is in " + named(before) + " and, otherwise, in " + here + "; the one in "
                + here + " counts; remove the other");
        if (Workloads.podTemplate(object.object().tree()).isPresent()) {
            there.set(before.index, null);
            seen.put(object.object().ref(), new Place(all.size() - 1, pool, kept.size()));
            kept.add(object);
        } else {
            there.set(before.index, moved(object, former.state()));
        }
    }

    /** Apart from what says in which state it is. */
    private static boolean same(KubeObject one, KubeObject other) {
        return plain(one).equals(plain(other));
    }

    private static KubeObject plain(KubeObject object) {
        return object.edit(tree -> {
            Map<String, Object> annotations = ValueTrees.ensureMap(tree, "metadata", "annotations");
            annotations.remove(MetadataKeys.STATE);
            annotations.remove(MetadataKeys.APPLIED);
            // The labels of the states before are not of the manifest.
            Workloads.nodeSelector(tree).ifPresent(path -> {
                Map<String, Object> selector = new TreeMap<>(ValueTrees.map(tree, path));
                selector.keySet()
                        .removeIf(label -> MetadataKeys.stateLabelOwner(label).isPresent());
                ValueTrees.ensureMap(tree, Arrays.copyOf(path, path.length - 1)).put(path[path.length - 1], selector);
            });
        });
    }

    private static Desired moved(Desired object, String state) {
        KubeObject stamped = object.object().edit(tree -> {
            Map<String, Object> annotations = ValueTrees.ensureMap(tree, "metadata", "annotations");
            annotations.remove(MetadataKeys.APPLIED);
            annotations.put(MetadataKeys.STATE, state);
        });
        return new Desired(AppliedDigest.stamp(stamped), state, object.pool());
    }
}
