package dev.sro.api;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The states of a recipe with their order: acyclic, without doubles, sorted so that a state comes after those it
 * depends on. Immutable.
 *
 * @since 0.1.0
 */
public final class StateGraph {

    private final List<State> states;
    private final Map<String, Set<String>> after;

    private StateGraph(List<State> states, Map<String, Set<String>> after) {
        this.states = states;
        this.after = after;
    }

    /**
     * The states one after the other, in the order given; their own {@link State#after()} must be empty.
     *
     * @throws InvalidRecipeException on doubles, of node conditions, too, or on a state that names predecessors
     */
    public static StateGraph chain(State... chain) {
        return chain(List.of(chain));
    }

    /** Like {@link #chain(State...)}. */
    public static StateGraph chain(List<State> chain) {
        Map<String, Set<String>> after = new LinkedHashMap<>();
        String previous = null;
        for (State state : chain) {
            if (!state.after().isEmpty()) {
                throw new InvalidRecipeException("state " + state.id()
                        + " names the states before it; use StateGraph.of for a recipe that is not a chain");
            }
            requireNew(after, state);
            after.put(state.id(), previous == null ? Set.of() : Set.of(previous));
            previous = state.id();
        }
        requireOwnConditions(chain);
        return new StateGraph(List.copyOf(chain), after);
    }

    /**
     * The states in the order that their {@link State#after()} demands; among those that are free to go, the one
     * with the smaller id comes first.
     *
     * @throws InvalidRecipeException on doubles, of node conditions, too, unknown predecessors or a cycle, which the message prints
     */
    public static StateGraph of(List<State> given) {
        Map<String, State> byId = new LinkedHashMap<>();
        Map<String, Set<String>> after = new LinkedHashMap<>();
        for (State state : given) {
            requireNew(after, state);
            byId.put(state.id(), state);
            after.put(state.id(), Set.copyOf(state.after()));
        }
        after.forEach((id, before) -> before.forEach(name -> {
            if (!byId.containsKey(name)) {
                throw new InvalidRecipeException("state " + id + " comes after \"" + name + "\", which does not exist");
            }
        }));
        List<State> sorted = new ArrayList<>();
        Set<String> done = new HashSet<>();
        requireOwnConditions(given);
        TreeSet<String> open = new TreeSet<>(byId.keySet());
        while (!open.isEmpty()) {
            String next = open.stream()
                    .filter(id -> done.containsAll(after.getOrDefault(id, Set.of())))
                    .findFirst()
                    .orElseThrow(() -> new InvalidRecipeException("the states " + open + " wait for each other: "
                            + open.stream()
                                    .map(id -> id + " after " + new TreeSet<>(after.getOrDefault(id, Set.of())))
                                    .toList()));
            open.remove(next);
            done.add(next);
            sorted.add(byId.get(next));
        }
        return new StateGraph(List.copyOf(sorted), after);
    }

    private static void requireNew(Map<String, Set<String>> seen, State state) {
        if (seen.containsKey(state.id())) {
            throw new InvalidRecipeException("state " + state.id() + " is there twice");
        }
    }

    private static void requireOwnConditions(List<State> states) {
        Map<String, String> byType = new LinkedHashMap<>();
        for (State state : states) {
            state.limits().flatMap(ValidationLimits::nodeCondition).ifPresent(type -> {
                String other = byType.putIfAbsent(type, state.id());
                if (other != null) {
                    throw new InvalidRecipeException("states " + other + " and " + state.id()
                            + " have the same node condition " + type + "; give each its own");
                }
            });
        }
    }

    /** All states; each after those it depends on. */
    public List<State> states() {
        return states;
    }

    /** Ids of the states directly before this one. */
    public Set<String> before(String id) {
        return after.getOrDefault(id, Set.of());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StateGraph graph && states.equals(graph.states) && after.equals(graph.after);
    }

    @Override
    public int hashCode() {
        return states.hashCode();
    }

    @Override
    public String toString() {
        return states.stream().map(State::id).toList().toString();
    }
}
