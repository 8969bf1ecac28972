package dev.sro.core.plan;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.upgrade.machine.RolloutPlan;
import java.time.Instant;
import java.util.ArrayList;
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
 * @param operands what its recipe wants, in the order of the recipe
 * @param upgrade of its driver; empty when SRO does not upgrade it
 * @param leaving what nobody wants any more, sorted: it goes now, or when what was built on it is gone
 * @param demands what it depends on that somebody has to find out
 */
public record Plan(
        List<Write> writes,
        List<Pool> pools,
        List<StateReport> states,
        List<Problem> problems,
        SortedMap<String, Problem> nodeProblems,
        List<Transition> transitions,
        Optional<Instant> wakeUp,
        boolean done,
        List<Operand> operands,
        Optional<RolloutPlan> upgrade,
        List<ObjectRef> leaving,
        Demands demands) {

    /** One that wants no objects. */
    public Plan(
            List<Write> writes,
            List<Pool> pools,
            List<StateReport> states,
            List<Problem> problems,
            SortedMap<String, Problem> nodeProblems,
            List<Transition> transitions,
            Optional<Instant> wakeUp,
            boolean done) {
        this(
                writes,
                pools,
                states,
                problems,
                nodeProblems,
                transitions,
                wakeUp,
                done,
                List.of(),
                Optional.empty(),
                List.of(),
                Demands.NONE);
    }

    /** Copies the collections. */
    public Plan {
        writes = List.copyOf(writes);
        pools = List.copyOf(pools);
        states = List.copyOf(states);
        problems = List.copyOf(problems);
        nodeProblems = Collections.unmodifiableSortedMap(new TreeMap<>(nodeProblems));
        transitions = List.copyOf(transitions);
        operands = List.copyOf(operands);
        leaving = leaving.stream().sorted().toList();
    }

    /** A plan that does nothing. */
    public static Plan idle() {
        return new Plan(
                List.of(), List.of(), List.of(), List.of(), new TreeMap<>(), List.of(), Optional.empty(), false);
    }

    /** The same, of a recipe that wants these. */
    public Plan of(List<Operand> wanted) {
        return new Plan(
                writes,
                pools,
                states,
                problems,
                nodeProblems,
                transitions,
                wakeUp,
                done,
                wanted,
                upgrade,
                leaving,
                demands);
    }

    /** The same, of one of whose objects these go. */
    public Plan leaving(List<ObjectRef> objects) {
        return new Plan(
                writes,
                pools,
                states,
                problems,
                nodeProblems,
                transitions,
                wakeUp,
                done,
                operands,
                upgrade,
                objects,
                demands);
    }

    /** The same, which depends on these. */
    public Plan demanding(Demands wanted) {
        return new Plan(
                writes,
                pools,
                states,
                problems,
                nodeProblems,
                transitions,
                wakeUp,
                done,
                operands,
                upgrade,
                leaving,
                wanted);
    }

    /** The same, looked at again at this time at the latest; {@link Instant#MAX} for no sooner than it is anyway. */
    public Plan wakingUp(Instant at) {
        if (at.equals(Instant.MAX)) {
            return this;
        }
        Optional<Instant> first = Optional.of(wakeUp.filter(at::isAfter).orElse(at));
        return new Plan(
                writes,
                pools,
                states,
                problems,
                nodeProblems,
                transitions,
                first,
                done,
                operands,
                upgrade,
                leaving,
                demands);
    }

    /** The same with deletions of what is no operand; a plan that says nothing of operands deletes nothing else either. */
    public Plan deleting(List<Write> deletions) {
        if (deletions.isEmpty() || states.isEmpty()) {
            return this;
        }
        List<Write> all = new ArrayList<>(writes);
        all.addAll(deletions);
        return new Plan(
                all,
                pools,
                states,
                problems,
                nodeProblems,
                transitions,
                wakeUp,
                done,
                operands,
                upgrade,
                leaving,
                demands);
    }

    /** The same with an upgrade. */
    public Plan upgrading(RolloutPlan rollout) {
        Plan with = new Plan(
                writes,
                pools,
                states,
                problems,
                nodeProblems,
                transitions,
                wakeUp,
                done,
                operands,
                Optional.of(rollout),
                leaving,
                demands);
        return rollout.wakeUp().map(with::wakingUp).orElse(with);
    }

    /**
     * The writes but for a status at the end of others, which they would make out of date at once: it is for the plan after them. One
     * that comes before them has to.
     */
    public List<Write> writesBeforeStatus() {
        int last = writes.size() - 1;
        return last > 0 && writes.get(last) instanceof Write.UpdateStatus ? writes.subList(0, last) : writes;
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
