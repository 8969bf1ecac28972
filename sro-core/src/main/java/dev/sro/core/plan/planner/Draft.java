package dev.sro.core.plan.planner;

import dev.sro.api.Problem;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Operand;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.WritePhase;
import dev.sro.core.plan.removal.RemovalDraft;
import dev.sro.core.plan.state.StateDraft;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A plan that is being made: everybody who has a part in it adds what they found. Writes are in the order of their {@link WritePhase}, and within one
 * in the order in which they were added. Lives for one plan; not thread-safe.
 */
final class Draft implements StateDraft, RemovalDraft {

    private final Map<WritePhase, List<Write>> writes = new EnumMap<>(WritePhase.class);
    private final List<StateReport> reports = new ArrayList<>();
    private final List<Operand> operands = new ArrayList<>();
    private final Set<ObjectRef> wanted = new HashSet<>();
    private final Set<String> held = new HashSet<>();
    private final SortedMap<String, Problem> nodeProblems;
    private Instant wakeUp = Instant.MAX;

    /**
     * @param nodeProblems that are known before, by node name
     */
    Draft(SortedMap<String, Problem> nodeProblems) {
        this.nodeProblems = new TreeMap<>(nodeProblems);
    }

    /** Adds a write. */
    @Override
    public void write(WritePhase phase, Write write) {
        writes.computeIfAbsent(phase, unused -> new ArrayList<>()).add(write);
    }

    /** Adds writes. */
    void write(WritePhase phase, Collection<? extends Write> more) {
        more.forEach(write -> write(phase, write));
    }

    /** All writes, in their order. */
    List<Write> writes() {
        List<Write> all = new ArrayList<>();
        writes.values().forEach(all::addAll);
        return all;
    }

    /** Adds the report of a state. */
    void report(StateReport report) {
        reports.add(report);
    }

    /** Of the states that are planned, in the order of the recipe; grows with the draft. */
    List<StateReport> reports() {
        return Collections.unmodifiableList(reports);
    }

    /** Adds an object that the recipe wants. */
    @Override
    public void operand(Operand operand) {
        operands.add(operand);
    }

    /** What the recipe wants; complete when all states are planned. */
    List<Operand> operands() {
        return Collections.unmodifiableList(operands);
    }

    /** The object is not to be retired. */
    @Override
    public void want(ObjectRef ref) {
        wanted.add(ref.inAnyVersion());
    }

    /** Whether some state wants this object, whether or not it may be written now; known when all states are planned. */
    @Override
    public boolean isWanted(ObjectRef ref) {
        return wanted.contains(ref.inAnyVersion());
    }

    /** A state whose objects are not written, because its hooks come first, lets no other state ahead. */
    @Override
    public void hold(String state) {
        held.add(state);
    }

    /** Whether hooks keep the objects of the state as they are. */
    @Override
    public boolean isHeld(String state) {
        return held.contains(state);
    }

    /** Adds problems of nodes; of two on one node the first counts. */
    void problems(Map<String, Problem> more) {
        more.forEach(nodeProblems::putIfAbsent);
    }

    /** By node name. */
    SortedMap<String, Problem> nodeProblems() {
        return Collections.unmodifiableSortedMap(nodeProblems);
    }

    /** Looks again at this time at the latest; {@link Instant#MAX} for no sooner than it is anyway. */
    @Override
    public void wakeAt(Instant at) {
        wakeUp = at.isBefore(wakeUp) ? at : wakeUp;
    }

    /** When to look again; {@link Instant#MAX} when there is no need to. */
    Instant wakeUp() {
        return wakeUp;
    }
}
