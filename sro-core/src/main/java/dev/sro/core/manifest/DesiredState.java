package dev.sro.core.manifest;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What shall exist for one state. Immutable.
 *
 * @param state the state
 * @param before ids of the states directly before it
 * @param shared objects that serve all pools
 * @param byPool objects of each pool; a pool that has none is in it with an empty list
 * @param problems why a pool (or, under the empty name, the whole state) could not be rendered
 * @param waits what a pool (or, under the empty name, the whole state) waits for before it can be rendered
 * @param hooks hooks of a Helm chart, in the order in which they run
 */
public record DesiredState(
        State state,
        Set<String> before,
        List<Desired> shared,
        Map<String, List<Desired>> byPool,
        Map<String, Problem> problems,
        Map<String, Outcome> waits,
        List<DesiredHook> hooks) {

    /** Rendered as far as it could be, without hooks. */
    public DesiredState(
            State state,
            Set<String> before,
            List<Desired> shared,
            Map<String, List<Desired>> byPool,
            Map<String, Problem> problems) {
        this(state, before, shared, byPool, problems, Map.of(), List.of());
    }

    /** Rendered as far as it could be. */
    public DesiredState(
            State state,
            Set<String> before,
            List<Desired> shared,
            Map<String, List<Desired>> byPool,
            Map<String, Problem> problems,
            List<DesiredHook> hooks) {
        this(state, before, shared, byPool, problems, Map.of(), hooks);
    }

    /** Copies the collections. */
    public DesiredState {
        before = Set.copyOf(before);
        shared = List.copyOf(shared);
        byPool = Map.copyOf(byPool);
        problems = Map.copyOf(problems);
        waits = Map.copyOf(waits);
        hooks = List.copyOf(hooks);
    }

    /** All objects, those of all pools first. */
    public Stream<Desired> objects() {
        return Stream.concat(shared.stream(), byPool.values().stream().flatMap(List::stream));
    }

    /** Whether all of it could be rendered. */
    public boolean isComplete() {
        return problems.isEmpty() && waits.isEmpty();
    }

    /** Why there is nothing to see of a pool, or of the whole state. */
    public Optional<Outcome> obstacle(String pool) {
        Problem problem = problems.getOrDefault(pool, problems.get(""));
        return problem == null
                ? Optional.ofNullable(waits.getOrDefault(pool, waits.get("")))
                : Optional.of(Outcome.failed(problem));
    }

    /** Whether it is not known what the pool, or what serves all pools where the name is empty, shall have. */
    public boolean isUnknown(String pool) {
        return pool.isEmpty() ? !isComplete() : obstacle(pool).isPresent();
    }

    /** The same with other objects and problems. */
    public DesiredState with(
            List<Desired> newShared, Map<String, List<Desired>> newByPool, Map<String, Problem> newProblems) {
        return new DesiredState(state, before, newShared, newByPool, newProblems, waits, hooks);
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
        Map<String, Outcome> waiting = new HashMap<>(waits);
        waiting.keySet().removeIf(pool -> !pool.isEmpty() && !pools.contains(pool));
        List<DesiredHook> still = hooks.stream()
                .filter(hook -> hook.pool().isEmpty() || pools.contains(hook.pool()))
                .toList();
        return new DesiredState(state, before, shared, objects, left, waiting, still);
    }
}
