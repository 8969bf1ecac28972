package dev.sro.runtime.demo;

import dev.sro.api.Outcome;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A state that got another outcome, in a pool or on a node. Immutable.
 *
 * @param place where
 * @param kind Ready, Waiting, Failed or Leaving
 * @param reason code of the outcome; empty for Ready
 * @param message what is waited for, or what is wrong
 */
record Change(Place place, String kind, String reason, String message) {

    static final String READY = "Ready";
    static final String WAITING = "Waiting";
    static final String FAILED = "Failed";
    static final String LEAVING = "Leaving";

    static final String PREVIOUS_STATE = "PreviousState";

    /**
     * Where an outcome is.
     *
     * @param state its id
     * @param pool name of the pool
     * @param node name of the node; empty when the whole pool is meant
     */
    record Place(String state, String pool, String node) {}

    /** Whether nothing was tried yet, because the state before is not ready. */
    boolean waitsForAnotherState() {
        return reason.equals(PREVIOUS_STATE);
    }

    /** What is different in the second of two plans. That a whole special resource leaves is no news of its states. */
    static List<Change> between(Map<Place, Change> before, Map<Place, Change> after) {
        if (after.isEmpty()) {
            return List.of();
        }
        List<Change> changes = new ArrayList<>();
        after.forEach((place, now) -> {
            Change last = before.get(place);
            if (last == null || !last.kind.equals(now.kind) || !last.reason.equals(now.reason)) {
                changes.add(now);
            }
        });
        before.forEach((place, last) -> {
            if (!after.containsKey(place)) {
                String why = place.node().isEmpty() ? "no node is in this pool any more" : "the node left this pool";
                changes.add(new Change(place, LEAVING, "", why));
            }
        });
        return changes;
    }

    /** Every outcome in the plan, by place. */
    static Map<Place, Change> all(Plan plan) {
        Map<Place, Change> all = new LinkedHashMap<>();
        for (StateReport state : plan.states()) {
            for (Map.Entry<String, PoolReport> pool : state.pools().entrySet()) {
                put(
                        all,
                        new Place(state.state(), pool.getKey(), ""),
                        pool.getValue().outcome());
                pool.getValue()
                        .nodes()
                        .forEach((node, outcome) -> put(all, new Place(state.state(), pool.getKey(), node), outcome));
            }
        }
        return all;
    }

    private static void put(Map<Place, Change> all, Place place, Outcome outcome) {
        if (outcome instanceof Outcome.Waiting waiting) {
            all.put(place, new Change(place, kind(outcome), waiting.reason(), waiting.on()));
        } else if (outcome instanceof Outcome.Failed failed) {
            all.put(
                    place,
                    new Change(
                            place,
                            kind(outcome),
                            failed.problem().code(),
                            failed.problem().message()));
        } else {
            all.put(place, new Change(place, kind(outcome), "", ""));
        }
    }

    static String kind(Outcome outcome) {
        if (outcome.isReady()) {
            return READY;
        }
        return outcome.isFailed() ? FAILED : WAITING;
    }
}
