package dev.sro.core.manifest;

import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.Drivers;
import dev.sro.core.model.Marks;
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
 * @param own makes its objects; null for a state of the recipe
 */
record OrderedState(
        State state, Set<String> before, @Nullable DriverState own) {

    private static final int NUMBERS = 10_000;

    /** SRO's own states, and then those of the recipe, which come after those that hold them up. */
    static List<OrderedState> all(StateGraph graph, Drivers drivers) {
        Set<String> numbers = new HashSet<>();
        graph.states().forEach(state -> numbers.add(state.number()));
        List<OrderedState> all = new ArrayList<>();
        Set<String> first = new LinkedHashSet<>();
        for (DriverState own : drivers.states()) {
            // Numbered whether there is such a state now or not, so that no number changes when one comes or goes.
            State state = State.builder()
                    .id(free(numbers) + "-" + own.name())
                    .perNode(own.perNode())
                    .build();
            if (!drivers.has(own)) {
                continue;
            }
            all.add(new OrderedState(state, Set.of(), own));
            if (own.comesFirst()) {
                first.add(state.id());
            }
        }
        for (State state : graph.states()) {
            Set<String> before = graph.before(state.id());
            all.add(new OrderedState(state, before.isEmpty() ? first : before, null));
        }
        return all;
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

    /** Labels of the nearest states before each state that are reached node by node. */
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
                if (before != null && before.perNode()) {
                    labels.add(Marks.stateLabel(name, before.number()));
                } else {
                    labels.addAll(found.getOrDefault(id, new TreeSet<>()));
                }
            }
            states.put(state.id(), state);
            found.put(state.id(), labels);
            result.put(state.id(), List.copyOf(labels));
        }
        return result;
    }
}
