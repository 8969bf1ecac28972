package dev.sro.core.plan.state;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.Reasons;
import dev.sro.core.plan.StateReport;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Decides whether the states before a state let it go ahead, pool by pool. Lives for one plan. */
public final class Gates {

    private final Instant now;
    private final Map<String, StateReport> reports = new HashMap<>();
    private final Map<String, State> states = new HashMap<>();
    private final Map<String, DesiredState> desiredStates = new HashMap<>();
    private final StateDraft draft;

    public Gates(Instant now, StateDraft draft) {
        this.now = now;
        this.draft = draft;
    }

    public void passed(DesiredState desired, StateReport report) {
        reports.put(desired.state().id(), report);
        states.put(desired.state().id(), desired.state());
        desiredStates.put(desired.state().id(), desired);
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
                    !draft.isHeld(before) && (cluster ? report.outcome().isReady() : isOpen(state, report, pool));
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
        PoolReport inPool = report.in(pool);
        if (inPool == null) {
            return false;
        }
        Outcome outcome = report.perNode() ? inPool.nodes().get(node) : null;
        return outcome == null ? inPool.outcome().isReady() : outcome.isReady();
    }

    /** A state that is reached node by node lets a pool through as soon as one node is ready; labels sort out the rest. */
    private boolean isOpen(State state, StateReport report, String pool) {
        String key = state.scope() == State.Scope.CLUSTER ? StateReport.NO_POOL : pool;
        PoolReport before = report.pools().get(key);
        if (before == null) {
            return false;
        }
        if (before.outcome().isReady()) {
            return true;
        }
        DesiredState desired = desiredStates.get(state.id());
        boolean broken = desired != null && desired.obstacle(key).isPresent();
        boolean goesAhead = !Reasons.is(before.outcome(), Reasons.PREVIOUS_STATE) && !broken;
        return state.reach().byNode() && goesAhead && before.readyNodes() > 0;
    }

    private Outcome closed(String before, String pool) {
        return Outcome.waiting(
                Reasons.PREVIOUS_STATE,
                now,
                "state " + before + (pool.isEmpty() ? "" : " in pool " + pool) + " is not ready");
    }
}
