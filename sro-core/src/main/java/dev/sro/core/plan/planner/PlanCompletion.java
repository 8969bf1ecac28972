package dev.sro.core.plan.planner;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.Code;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.WriteFailure;
import dev.sro.core.plan.node.TaintPlanner;
import dev.sro.core.plan.status.StatusBuilder;
import dev.sro.core.upgrade.machine.RolloutPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What was worked out, with the finalizer and the status in the right places. Lives for one plan. */
final class PlanCompletion {

    /** A kind that is not served may be installed at any time, and no event tells of it. */
    private static final Duration LOOK_FOR_KINDS = Duration.ofSeconds(30);

    private final PlanInput in;
    private final Draft draft;

    PlanCompletion(PlanInput in, Draft draft) {
        this.in = in;
        this.draft = draft;
    }

    /**
     * The plan.
     *
     * @param obstacle what else keeps the special resource from being as it shall be
     * @param rollout the upgrade of its driver
     */
    Plan plan(Optional<Problem> obstacle, Optional<RolloutPlan> rollout) {
        List<Write> work = draft.writes();
        StatusBuilder status = new StatusBuilder(in, draft.reports(), draft.nodeProblems(), work, obstacle, rollout);
        TaintPlanner taints = new TaintPlanner(in);
        Optional<Write> update = status.write(taints.record(), taints.partitionRecord());
        List<Write> writes = new ArrayList<>();
        if (!in.resource().getMetadata().getFinalizers().contains(MetadataKeys.FINALIZER) && !work.isEmpty()) {
            writes.add(new Write.SetFinalizer(in.self(), in.uid(), true));
        }
        // A new kind is on record before its first object: a crash in between loses nothing.
        boolean ahead = status.addsKinds();
        if (ahead) {
            update.ifPresent(writes::add);
        }
        writes.addAll(work);
        if (!ahead) {
            update.ifPresent(writes::add);
        }
        if (!in.refusals().allow(in.self())) {
            // The special resource itself could not be written a moment ago. What needs that first waits as well.
            boolean needed = ahead || writes.stream().anyMatch(Write.SetFinalizer.class::isInstance);
            writes.removeIf(write -> needed || write instanceof Write.UpdateStatus);
        }
        return Plan.builder()
                .writes(writes)
                .pools(in.pools())
                .states(draft.reports())
                .problems(in.problems())
                .nodeProblems(draft.nodeProblems())
                .transitions(status.transitions())
                .wakeUp(wakeUp(in, status))
                .build();
    }

    /**
     * Whatever comes first: a write that is due again, a status that was held back, a kind to look for again, and others that
     * are not gone yet.
     */
    static Optional<Instant> wakeUp(PlanInput in, StatusBuilder status) {
        Stream<Instant> retries = in.failures().values().stream().map(WriteFailure::retryAt);
        Stream<Instant> kinds =
                // Of an account that is made an event tells.
                in.unseenKinds().values().stream().allMatch(Code.ACCOUNT_PENDING::is)
                        ? Stream.empty()
                        : Stream.of(in.now().plus(LOOK_FOR_KINDS));
        boolean broken = in.dependencies().stream()
                .anyMatch(dependency -> dependency.outcome() instanceof Outcome.Failed failed
                        && failed.problem().retryable());
        Stream<Instant> charts = broken ? Stream.of(in.now().plus(LOOK_FOR_KINDS)) : Stream.empty();
        Stream<Instant> others = in.namespaceInUse() ? Stream.of(in.now().plus(LOOK_FOR_KINDS)) : Stream.empty();
        return Stream.of(retries, kinds, charts, others, status.deferredUntil().stream())
                .flatMap(times -> times)
                .filter(at -> at.isAfter(in.now()))
                .min(Instant::compareTo);
    }
}
