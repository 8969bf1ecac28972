package dev.sro.core.embed;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.plan.Plan;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The findings and deeds of a reconcile. Immutable.
 *
 * @param specialResource its name
 * @param states by the id of each state, in the order of the recipe: how far it is, the worst of all pools
 * @param problems of the special resource as a whole
 * @param writes how many writes were made
 * @param refused how many were refused
 * @param took how long it took
 */
public record ReconcileReport(
        String specialResource,
        Map<String, Outcome> states,
        List<Problem> problems,
        int writes,
        int refused,
        Duration took) {

    /** Copies the collections. */
    public ReconcileReport {
        states = Collections.unmodifiableMap(new LinkedHashMap<>(states));
        problems = List.copyOf(problems);
    }

    static ReconcileReport of(String specialResource, Plan plan, int writes, int refused, Duration took) {
        Map<String, Outcome> states = new LinkedHashMap<>();
        plan.states().forEach(state -> states.put(state.state(), state.outcome()));
        return new ReconcileReport(specialResource, states, plan.problems(), writes, refused, took);
    }

    /** Whether all states are ready and there is no problem. */
    public boolean isReady() {
        return problems.isEmpty()
                && !states.isEmpty()
                && states.values().stream().allMatch(Outcome::isReady);
    }
}
