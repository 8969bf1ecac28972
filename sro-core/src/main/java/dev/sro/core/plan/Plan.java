package dev.sro.core.plan;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueStyle;
import dev.sro.core.upgrade.machine.RolloutPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.immutables.value.Value;

/** What a reconcile does and finds. Immutable; equal input gives an equal plan. */
@Value.Immutable
@ValueStyle
public abstract class Plan {

    Plan() {}

    /** What is written, in the order in which it is to be made. */
    public abstract List<Write> writes();

    /** The pools, sorted. */
    public abstract List<Pool> pools();

    /** A report per state, in the order of the recipe. */
    public abstract List<StateReport> states();

    /** Problems of the special resource as a whole. */
    public abstract List<Problem> problems();

    /** Problems of nodes, by node name. */
    @Value.NaturalOrder
    public abstract SortedMap<String, Problem> nodeProblems();

    /** Changes that are worth an event. */
    public abstract List<Transition> transitions();

    /** When to look again although nothing changes; empty when there is no need to. */
    public abstract Optional<Instant> wakeUp();

    /** Whether a special resource that is being deleted has nothing left. */
    @Value.Default
    public boolean done() {
        return false;
    }

    /** Objects that its recipe wants, in the order of the recipe. */
    public abstract List<Operand> operands();

    /** The upgrade of its driver; empty when SRO does not upgrade it. */
    public abstract Optional<RolloutPlan> upgrade();

    /** Objects that nobody wants any more, sorted: they go now, or when what was built on them is gone. */
    public abstract List<ObjectRef> leaving();

    /** What it depends on that somebody has to find out. */
    @Value.Default
    public Demands demands() {
        return Demands.NONE;
    }

    /** A builder of a plan that does nothing. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link Plan}. Not thread-safe. */
    public static final class Builder extends ImmutablePlan.Builder {
        Builder() {}
    }

    /** A plan that does nothing. */
    public static Plan idle() {
        return builder().build();
    }

    abstract Plan withWrites(Iterable<? extends Write> writes);

    abstract Plan withWakeUp(Instant at);

    abstract Plan withOperands(Iterable<? extends Operand> operands);

    abstract Plan withUpgrade(RolloutPlan rollout);

    abstract Plan withLeaving(Iterable<? extends ObjectRef> objects);

    abstract Plan withDemands(Demands demands);

    /** The same, of a recipe that wants these. */
    public Plan wanting(List<Operand> wanted) {
        return withOperands(wanted);
    }

    /** The same, of one of whose objects these go. */
    public Plan leaving(List<ObjectRef> objects) {
        return withLeaving(objects.stream().sorted().toList());
    }

    /** The same, which depends on these. */
    public Plan demanding(Demands wanted) {
        return withDemands(wanted);
    }

    /** The same, looked at again at this time at the latest; {@link Instant#MAX} for no sooner than it is anyway. */
    public Plan wakingUp(Instant at) {
        return at.equals(Instant.MAX)
                ? this
                : withWakeUp(wakeUp().filter(at::isAfter).orElse(at));
    }

    /** The same with deletions of what is no operand; a plan that says nothing of operands deletes nothing else either. */
    public Plan deleting(List<Write> deletions) {
        if (deletions.isEmpty() || states().isEmpty()) {
            return this;
        }
        List<Write> all = new ArrayList<>(writes());
        all.addAll(deletions);
        return withWrites(all);
    }

    /** The same with an upgrade. */
    public Plan upgrading(RolloutPlan rollout) {
        Plan with = withUpgrade(rollout);
        return rollout.wakeUp().map(with::wakingUp).orElse(with);
    }

    /**
     * The writes but for a status at the end of others, which they would make out of date at once: it is for the plan after them. One
     * that comes before them has to.
     */
    public List<Write> writesBeforeStatus() {
        int last = writes().size() - 1;
        return last > 0 && writes().get(last) instanceof Write.UpdateStatus ? writes().subList(0, last) : writes();
    }

    /** Whether every state is ready and nothing is to be written. */
    public boolean converged() {
        return writes().isEmpty()
                && problems().isEmpty()
                && nodeProblems().isEmpty()
                && states().stream().allMatch(state -> state.outcome().isReady());
    }

    /** The report of this state. */
    public Optional<StateReport> state(String id) {
        return states().stream().filter(state -> state.state().equals(id)).findFirst();
    }
}
