package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StateGraphTest {

    private static State state(String id, String... after) {
        return State.builder().id(id).addAfter(after).build();
    }

    private static List<String> ids(StateGraph graph) {
        return graph.states().stream().map(State::id).toList();
    }

    @Test
    void chainKeepsTheGivenOrder() {
        StateGraph graph = StateGraph.chain(state("0000-b"), state("1000-a"));
        assertThat(ids(graph)).containsExactly("0000-b", "1000-a");
        assertThat(graph.before("0000-b")).isEmpty();
        assertThat(graph.before("1000-a")).containsExactly("0000-b");
        assertThat(graph.before("unknown")).isEmpty();
    }

    @Test
    void chainRefusesStatesWithPredecessorsAndDoubles() {
        assertThatThrownBy(() -> StateGraph.chain(state("0000-a"), state("1000-b", "0000-a")))
                .isInstanceOf(InvalidRecipeException.class)
                .hasMessageContaining("1000-b");
        assertThatThrownBy(() -> StateGraph.chain(state("0000-a"), state("0000-a")))
                .isInstanceOf(InvalidRecipeException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void sortsByPredecessorsThenById() {
        StateGraph graph =
                StateGraph.of(List.of(state("3000-c"), state("1000-a", "3000-c"), state("2000-b"), state("4000-d")));
        assertThat(ids(graph)).containsExactly("2000-b", "3000-c", "1000-a", "4000-d");
    }

    @Test
    void saysWhichPredecessorDoesNotExist() {
        assertThatThrownBy(() -> StateGraph.of(List.of(state("1000-a", "9000-z"))))
                .isInstanceOf(InvalidRecipeException.class)
                .hasMessageContaining("1000-a")
                .hasMessageContaining("9000-z");
    }

    @Test
    void printsACycle() {
        assertThatThrownBy(() ->
                        StateGraph.of(List.of(state("0000-x"), state("1000-a", "2000-b"), state("2000-b", "1000-a"))))
                .isInstanceOf(InvalidRecipeException.class)
                .hasMessageContaining("1000-a after [2000-b]")
                .hasMessageContaining("2000-b after [1000-a]");
    }

    @Property(tries = 200)
    void orderDoesNotDependOnTheOrderGiven(@ForAll Random random, @ForAll @IntRange(min = 1, max = 12) int size) {
        List<State> states = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            State.Builder state = State.builder().id("%04d-s".formatted(random.nextInt(9) * 1000 + i));
            states.stream().filter(other -> random.nextInt(3) == 0).forEach(other -> state.addAfter(other.id()));
            states.add(state.build());
        }
        StateGraph graph = StateGraph.of(states);
        Collections.shuffle(states, random);
        assertThat(StateGraph.of(states)).isEqualTo(graph).hasSameHashCodeAs(graph);
        List<String> order = ids(graph);
        for (State state : graph.states()) {
            Set<String> before = graph.before(state.id());
            assertThat(before).allMatch(other -> order.indexOf(other) < order.indexOf(state.id()));
        }
    }
}
