package dev.sro.core.engine.relation;

import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which states of all special resources wait for which others. Lives for one trip. */
final class CapabilityGraph {

    /**
     * A state that brings a capability.
     *
     * @param resource name of its special resource
     * @param state its id
     */
    record Provider(String resource, String state, String capability) {}

    private record At(String resource, String state) {}

    private final String name;
    private final SortedMap<String, Recipe> recipes;
    private final List<String> warnings = new ArrayList<>();

    CapabilityGraph(String name, Recipe own, Map<String, Recipe> others) {
        this.name = name;
        this.recipes = new TreeMap<>(others);
        this.recipes.put(name, own);
    }

    /** Cycles that {@link #providers} came upon. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Those that a state of this special resource waits for; who waits for it in turn is not waited for, by either of them. */
    List<Provider> providers(State state) {
        List<Provider> providers = new ArrayList<>();
        for (Provider provider : providers(name, state)) {
            if (waitsFor(new At(provider.resource(), provider.state()), new At(name, state.id()))) {
                Recipe other = Objects.requireNonNull(recipes.get(provider.resource()));
                warnings.add(
                        "state " + state.id() + " (" + label(name) + ") waits for capability " + provider.capability()
                                + " of state " + provider.state() + " of SpecialResource " + provider.resource() + " ("
                                + other.label()
                                + "), which waits for this one: neither waits; change afterCapabilities of one of"
                                + " the two plugins");
            } else {
                providers.add(provider);
            }
        }
        return providers;
    }

    private String label(String resource) {
        return Objects.requireNonNull(recipes.get(resource)).label();
    }

    private List<Provider> providers(String waiting, State state) {
        List<Provider> providers = new ArrayList<>();
        recipes.forEach((resource, recipe) -> {
            if (!resource.equals(waiting)) {
                for (State other : recipe.graph().states()) {
                    other.provides().stream()
                            .filter(state.afterCapabilities()::contains)
                            .sorted()
                            .forEach(name -> providers.add(new Provider(resource, other.id(), name)));
                }
            }
        });
        return providers;
    }

    private boolean waitsFor(At from, At wanted) {
        Deque<At> open = new ArrayDeque<>(List.of(from));
        Set<At> seen = new HashSet<>();
        while (!open.isEmpty()) {
            At at = open.pop();
            if (at.equals(wanted)) {
                return true;
            }
            if (seen.add(at)) {
                open.addAll(before(at));
            }
        }
        return false;
    }

    private List<At> before(At at) {
        StateGraph graph = Objects.requireNonNull(recipes.get(at.resource())).graph();
        List<At> before = new ArrayList<>();
        new TreeSet<>(graph.before(at.state())).forEach(id -> before.add(new At(at.resource(), id)));
        graph.states().stream()
                .filter(state -> state.id().equals(at.state()))
                .forEach(state -> providers(at.resource(), state)
                        .forEach(provider -> before.add(new At(provider.resource(), provider.state()))));
        return before;
    }
}
