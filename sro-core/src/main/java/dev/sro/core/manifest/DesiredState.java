package dev.sro.core.manifest;

import dev.sro.api.Problem;
import dev.sro.api.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What shall exist for one state. Immutable.
 *
 * @param state the state
 * @param before ids of the states directly before it
 * @param shared objects that serve all pools
 * @param byPool objects of each pool; a pool that has none is in it with an empty list
 * @param problems why a pool (or, under the empty name, the whole state) could not be rendered
 * @param hooks hooks of a Helm chart, in the order in which they run
 */
public record DesiredState(
        State state,
        Set<String> before,
        List<Desired> shared,
        Map<String, List<Desired>> byPool,
        Map<String, Problem> problems,
        List<DesiredHook> hooks) {

    /** Without hooks. */
    public DesiredState(
            State state,
            Set<String> before,
            List<Desired> shared,
            Map<String, List<Desired>> byPool,
            Map<String, Problem> problems) {
        this(state, before, shared, byPool, problems, List.of());
    }

    /** Copies the collections. */
    public DesiredState {
        before = Set.copyOf(before);
        shared = List.copyOf(shared);
        byPool = Map.copyOf(byPool);
        problems = Map.copyOf(problems);
        hooks = List.copyOf(hooks);
    }

    /** Shared objects first, then those of the pool. */
    public List<Desired> forPool(String pool) {
        List<Desired> own = byPool.getOrDefault(pool, List.of());
        if (shared.isEmpty()) {
            return own;
        }
        List<Desired> all = new ArrayList<>(shared.size() + own.size());
        all.addAll(shared);
        all.addAll(own);
        return all;
    }

    /** The same for these pools alone. */
    public DesiredState only(Set<String> pools) {
        Map<String, List<Desired>> objects = new HashMap<>(byPool);
        objects.keySet().retainAll(pools);
        Map<String, Problem> left = new HashMap<>(problems);
        left.keySet().removeIf(pool -> !pool.isEmpty() && !pools.contains(pool));
        List<DesiredHook> still = hooks.stream()
                .filter(hook -> hook.pool().isEmpty() || pools.contains(hook.pool()))
                .toList();
        return new DesiredState(state, before, shared, objects, left, still);
    }
}
