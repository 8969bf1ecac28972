package dev.sro.core.plan;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a reconcile does and finds. Immutable; equal input gives an equal plan.
 *
 * @param writes in the order in which they are to be made
 * @param pools the pools, sorted
 * @param states a report per state, in the order of the recipe
 * @param problems of the special resource as a whole
 * @param nodeProblems by node name
 * @param transitions what is worth an event
 * @param wakeUp when to look again although nothing changes; empty when there is no need to
 * @param done true when a special resource that is being deleted has nothing left
 */
public record Plan(
        List<Write> writes,
        List<Pool> pools,
        List<StateReport> states,
        List<Problem> problems,
        SortedMap<String, Problem> nodeProblems,
        List<Transition> transitions,
        Optional<Instant> wakeUp,
        boolean done) {

    /** Copies the collections. */
    public Plan {
        writes = List.copyOf(writes);
        pools = List.copyOf(pools);
        states = List.copyOf(states);
        problems = List.copyOf(problems);
        nodeProblems = Collections.unmodifiableSortedMap(new TreeMap<>(nodeProblems));
        transitions = List.copyOf(transitions);
    }

    /** A plan that does nothing. */
    static Plan idle() {
        return new Plan(
                List.of(), List.of(), List.of(), List.of(), new TreeMap<>(), List.of(), Optional.empty(), false);
    }

    /** Whether every state is ready and nothing is to be written. */
    public boolean converged() {
        return writes.isEmpty()
                && problems.isEmpty()
                && nodeProblems.isEmpty()
                && states.stream().allMatch(state -> state.outcome().isReady());
    }

    /** The report of this state. */
    public Optional<StateReport> state(String id) {
        return states.stream().filter(state -> state.state().equals(id)).findFirst();
    }
}
