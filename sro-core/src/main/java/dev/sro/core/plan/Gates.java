package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.core.manifest.DesiredState;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Decides whether the states before a state let it go ahead, pool by pool. Lives for one plan. */
final class Gates {

    private static final String PREVIOUS_STATE = "PreviousState";

    private final Instant now;
    private final Map<String, StateReport> reports = new HashMap<>();
    private final Map<String, State> states = new HashMap<>();
    private final Map<String, DesiredState> desiredStates = new HashMap<>();
    private final Set<String> held = new HashSet<>();

    Gates(Instant now) {
        this.now = now;
    }

    void passed(DesiredState desired, StateReport report) {
        reports.put(desired.state().id(), report);
        states.put(desired.state().id(), desired.state());
        desiredStates.put(desired.state().id(), desired);
    }

    /** A state whose objects are not written, because its hooks come first, lets no other state ahead. */
    void hold(String state) {
        held.add(state);
    }

    /** Whether hooks keep the objects of the state as they are. */
    boolean isHeld(String state) {
        return held.contains(state);
    }

    /** Ready if the gate is open; otherwise what is waited for. */
    Outcome into(DesiredState desired, String pool) {
        for (String before : new TreeSet<>(desired.before())) {
            StateReport report = reports.get(before);
            State state = states.get(before);
            if (report == null || state == null) {
                return closed(before, pool);
            }
            boolean cluster = desired.state().scope() == State.Scope.CLUSTER;
            boolean open =
                    !held.contains(before) && (cluster ? report.outcome().isReady() : isOpen(state, report, pool));
            if (!open) {
                return closed(before, cluster ? "" : pool);
            }
        }
        return Outcome.ready();
    }

    /** Whether all states before a state, and those before these, are ready on a node. */
    boolean areReadyOn(DesiredState desired, String pool, String node) {
        for (String before : desired.before()) {
            StateReport report = reports.get(before);
            DesiredState state = desiredStates.get(before);
            if (report == null || state == null || !isReadyOn(report, pool, node) || !areReadyOn(state, pool, node)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReadyOn(StateReport report, String pool, String node) {
        PoolReport inPool = report.pools().get(pool);
        if (inPool == null) {
            inPool = report.pools().get(StatePlanner.NO_POOL);
        }
        if (inPool == null) {
            return false;
        }
        Outcome outcome = report.perNode() ? inPool.nodes().get(node) : null;
        return outcome == null ? inPool.outcome().isReady() : outcome.isReady();
    }

    /** A state that is reached node by node lets a pool through as soon as one node is ready; labels sort out the rest. */
    private boolean isOpen(State state, StateReport report, String pool) {
        String key = state.scope() == State.Scope.CLUSTER ? StatePlanner.NO_POOL : pool;
        PoolReport before = report.pools().get(key);
        if (before == null) {
            return false;
        }
        if (before.outcome().isReady()) {
            return true;
        }
        DesiredState desired = desiredStates.get(state.id());
        boolean broken = desired != null && desired.obstacle(key).isPresent();
        boolean goesAhead = !isClosed(before.outcome()) && !broken;
        return state.reach().byNode() && goesAhead && before.readyNodes() > 0;
    }

    /** Whether the state waits for the one before it. */
    static boolean isClosed(Outcome outcome) {
        return outcome instanceof Outcome.Waiting waiting && waiting.reason().equals(PREVIOUS_STATE);
    }

    private Outcome closed(String before, String pool) {
        return Outcome.waiting(
                PREVIOUS_STATE, now, "state " + before + (pool.isEmpty() ? "" : " in pool " + pool) + " is not ready");
    }
}
