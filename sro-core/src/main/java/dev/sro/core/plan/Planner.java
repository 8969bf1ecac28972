package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.model.ManagementState;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.upgrade.RolloutPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The state machine: from what shall be and what is, to what to do. Pure and without state. */
public final class Planner {

    /** A kind that is not served may be installed at any time, and no event tells of it. */
    private static final Duration LOOK_FOR_KINDS = Duration.ofSeconds(30);

    private Planner() {}

    /** Plans one special resource. */
    public static Plan plan(PlanInput in) {
        if (in.resource().getMetadata().getDeletionTimestamp() != null) {
            return Teardown.plan(in, true);
        }
        return switch (ManagementState.of(in.resource())) {
            case UNMANAGED -> Plan.idle();
            case REMOVED -> Teardown.plan(in, false);
            case MANAGED -> in.problems().isEmpty() ? new Convergence(in).plan() : standStill(in);
        };
    }

    /** Nothing can be planned while the caches are not filled: what is not seen might be there. */
    public static Plan blind(Outcome obstacle, Instant now) {
        return new Plan(
                List.of(),
                List.of(),
                List.of(),
                obstacle instanceof Outcome.Failed failed ? List.of(failed.problem()) : List.of(),
                new TreeMap<>(),
                List.of(),
                Optional.of(now.plusSeconds(1)),
                false);
    }

    /** The recipe is not known: say so, and leave alone what exists. */
    private static Plan standStill(PlanInput in) {
        return finish(in, List.of(), List.of(), in.nodeProblems(), Optional.empty(), Optional.empty());
    }

    private static boolean isHeld(PlanInput in) {
        WriteFailure failure = in.failures().get(self(in));
        return failure != null && in.now().isBefore(failure.retryAt());
    }

    /** What was worked out, with the finalizer and the status in the right places. */
    static Plan finish(
            PlanInput in,
            List<Write> work,
            List<StateReport> reports,
            SortedMap<String, Problem> nodeProblems,
            Optional<Problem> obstacle,
            Optional<RolloutPlan> rollout) {
        StatusBuilder status = new StatusBuilder(in, reports, nodeProblems, work, obstacle, rollout);
        Optional<Write> update = status.write();
        List<Write> writes = new ArrayList<>();
        if (!in.resource().getMetadata().getFinalizers().contains(Marks.FINALIZER) && !work.isEmpty()) {
            writes.add(new Write.SetFinalizer(self(in), uid(in), true));
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
        if (isHeld(in)) {
            // The special resource itself could not be written a moment ago. What needs that first waits as well.
            boolean needed = ahead || writes.stream().anyMatch(Write.SetFinalizer.class::isInstance);
            writes.removeIf(write -> needed || write instanceof Write.UpdateStatus);
        }
        return new Plan(
                writes,
                in.pools(),
                reports,
                in.problems(),
                nodeProblems,
                status.transitions(),
                wakeUp(in, status),
                false);
    }

    static ObjectRef self(PlanInput in) {
        return new ObjectRef(
                in.resource().getApiVersion(),
                in.resource().getKind(),
                "",
                in.resource().getMetadata().getName());
    }

    static String uid(PlanInput in) {
        return String.valueOf(in.resource().getMetadata().getUid());
    }

    /**
     * Whatever comes first: a write that is due again, a status that was held back, a kind to look for again, and others that
     * are not gone yet.
     */
    static Optional<Instant> wakeUp(PlanInput in, StatusBuilder status) {
        Stream<Instant> retries = in.failures().values().stream().map(WriteFailure::retryAt);
        Stream<Instant> kinds =
                in.unseenKinds().isEmpty() ? Stream.empty() : Stream.of(in.now().plus(LOOK_FOR_KINDS));
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
