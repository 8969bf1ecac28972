package dev.sro.core.manifest;

import dev.sro.api.Problem;
import dev.sro.core.model.ObjectRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds objects that two states, or two pools, or a state and a hook, both want: each would undo what the other wrote. Lives for
 * one rendering.
 */
final class Duplicates {

    private final Map<ObjectRef, String> seen = new HashMap<>();

    /** The state of each hook. */
    private final Map<ObjectRef, String> hooks = new HashMap<>();

    private Duplicates() {}

    /** The states without objects that an earlier one has already; the later one gets a problem. */
    static List<DesiredState> without(List<DesiredState> states) {
        Duplicates duplicates = new Duplicates();
        states.forEach(state -> state.hooks()
                .forEach(hook -> duplicates.hooks.putIfAbsent(
                        hook.object().ref(), state.state().id())));
        return states.stream().map(duplicates::check).toList();
    }

    private DesiredState check(DesiredState state) {
        Map<String, Problem> problems = new HashMap<>(state.problems());
        List<Desired> shared = keep(state.shared(), state, "", problems);
        Map<String, List<Desired>> byPool = new LinkedHashMap<>();
        state.byPool().keySet().stream()
                .sorted()
                .forEach(pool ->
                        byPool.put(pool, keep(state.byPool().getOrDefault(pool, List.of()), state, pool, problems)));
        return state.with(shared, byPool, problems);
    }

    private List<Desired> keep(List<Desired> objects, DesiredState state, String pool, Map<String, Problem> problems) {
        List<Desired> kept = new ArrayList<>();
        for (Desired object : objects) {
            ObjectRef ref = object.object().ref();
            String here = state.state().id() + (pool.isEmpty() ? "" : " in pool " + pool);
            String hook = hooks.get(ref);
            String before = hook == null ? seen.putIfAbsent(ref, here) : "a hook in " + hook;
            if (before == null) {
                kept.add(object);
            } else {
                problems.putIfAbsent(
                        pool,
                        RenderException.vendor(
                                        "DuplicateObject",
                                        here + ": " + ref + " is made by " + before + " already; remove one of them")
                                .problem());
            }
        }
        return kept;
    }
}
