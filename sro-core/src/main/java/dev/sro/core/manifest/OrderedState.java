package dev.sro.core.manifest;

import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.Drivers;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.monitoring.MonitoringObjects;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A state with those before it: of the recipe, or one that SRO makes itself.
 *
 * @param before ids of the states directly before it
 * @param own makes its objects, pool by pool; null for other states
 * @param made its objects, where SRO makes them for all pools; null for other states
 */
record OrderedState(
        State state,
        Set<String> before,
        @Nullable DriverState own,
        @Nullable List<KubeObject> made) {

    private static final int NUMBERS = 10_000;

    /** SRO's own states for drivers, and then those of the recipe, which come after those that hold them up, and its monitoring. */
    static List<OrderedState> all(Recipe recipe, Drivers drivers) {
        StateGraph graph = recipe.graph();
        Set<String> numbers = new HashSet<>();
        graph.states().forEach(state -> numbers.add(state.number()));
        List<OrderedState> all = new ArrayList<>();
        Set<String> first = new LinkedHashSet<>();
        for (DriverState own : drivers.states()) {
            // Numbered whether there is such a state now or not, so that no number changes when one comes or goes.
            State state = State.builder()
                    .id(free(numbers) + "-" + own.name())
                    .reach(own.perNode() ? Reach.nodeByNode() : Reach.whole())
                    .build();
            if (!drivers.has(own)) {
                continue;
            }
            all.add(new OrderedState(state, own.comesAfterOthers() ? Set.copyOf(first) : Set.of(), own, null));
            if (own.comesFirst()) {
                first.add(state.id());
            }
        }
        for (State state : graph.states()) {
            Set<String> before = graph.before(state.id());
            all.add(new OrderedState(state, before.isEmpty() ? first : before, null, null));
        }
        recipe.monitoring()
                .map(monitoring -> MonitoringObjects.render(recipe.context(), monitoring))
                .filter(objects -> !objects.isEmpty())
                .ifPresent(objects -> all.add(monitoring(numbers, objects)));
        return all;
    }

    /** Comes last and goes first, and neither waits nor is waited for. */
    private static OrderedState monitoring(Set<String> numbers, List<KubeObject> objects) {
        int number = NUMBERS - 1;
        while (number > 0 && !numbers.add(String.format("%04d", number))) {
            number--;
        }
        State state = State.builder()
                .id(String.format("%04d", number) + "-" + MonitoringObjects.STATE)
                .scope(State.Scope.CLUSTER)
                .build();
        return new OrderedState(state, Set.of(), null, objects);
    }

    /** A number that no state has: the node label of a state has nothing else of its id. */
    private static String free(Set<String> numbers) {
        for (int i = 0; i < NUMBERS; i++) {
            String number = String.format("%04d", i);
            if (numbers.add(number)) {
                return number;
            }
        }
        throw new IllegalStateException("there are " + NUMBERS + " states");
    }

    /**
     * Labels of the nearest states before each state that are reached node by node. States with one number share a label, which comes
     * when all of them are ready, so that none of them may wait for it.
     */
    static Map<String, List<String>> barriers(String name, List<OrderedState> all) {
        Map<String, SortedSet<String>> found = new HashMap<>();
        Map<String, State> states = new HashMap<>();
        Map<String, List<String>> result = new HashMap<>();
        // Each state comes after those before it, so theirs are known.
        for (OrderedState ordered : all) {
            State state = ordered.state();
            SortedSet<String> labels = new TreeSet<>();
            for (String id : ordered.before()) {
                State before = states.get(id);
                boolean own = before != null && before.number().equals(state.number());
                if (before != null && before.reach().byNode() && !own) {
                    labels.add(MetadataKeys.stateLabel(name, before.number()));
                } else {
                    labels.addAll(found.getOrDefault(id, new TreeSet<>()));
                }
            }
            states.put(state.id(), state);
            found.put(state.id(), labels);
            result.put(state.id(), state.reach().hasOwnBarrier() ? List.of() : List.copyOf(labels));
        }
        return result;
    }
}
