package dev.sro.core.plan.planner;

import dev.sro.api.Outcome;
import dev.sro.core.model.ManagementState;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.memo.SyncMemo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The state machine: from what shall be and what is, to what to do. Pure and without state. */
public final class Planner {

    private Planner() {}

    /**
     * Plans one special resource.
     *
     * @param memo of the plans before: it changes the cost of a plan, never its result
     */
    public static Plan plan(PlanInput in, SyncMemo memo) {
        if (in.resource().getMetadata().getDeletionTimestamp() != null) {
            return Teardown.plan(in, true);
        }
        return switch (ManagementState.of(in.resource())) {
            case UNMANAGED -> Plan.idle();
            case REMOVED -> Teardown.plan(in, false);
            case MANAGED -> in.problems().isEmpty() ? new Convergence(in, memo).plan() : standStill(in);
        };
    }

    /** Nothing can be planned while the caches are not filled: what is not seen might be there. */
    public static Plan blind(Outcome obstacle, Instant now) {
        return Plan.builder()
                .problems(obstacle instanceof Outcome.Failed failed ? List.of(failed.problem()) : List.of())
                .wakeUp(now.plusSeconds(1))
                .build();
    }

    /** The recipe is not known: say so, and leave alone what exists. */
    private static Plan standStill(PlanInput in) {
        return new PlanCompletion(in, new Draft(in.nodeProblems())).plan(Optional.empty(), Optional.empty());
    }
}
