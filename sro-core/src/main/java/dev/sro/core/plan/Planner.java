package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.PartitionManifests;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.SteadyTime;
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

    private static final State NAMESPACE =
            State.builder().id("0000-namespace").scope(State.Scope.CLUSTER).build();

    /** A kind that is not served may be installed at any time, and no event tells of it. */
    private static final Duration LOOK_FOR_KINDS = Duration.ofSeconds(30);

    private Planner() {}

    /** Plans one special resource. */
    public static Plan plan(PlanInput in) {
        if (in.resource().getMetadata().getDeletionTimestamp() != null) {
            return Teardown.plan(in, true);
        }
        String management =
                in.resource().getSpec() == null ? null : in.resource().getSpec().getManagementState();
        if ("Unmanaged".equals(management)) {
            return Plan.idle();
        }
        if ("Removed".equals(management)) {
            return Teardown.plan(in, false);
        }
        return in.problems().isEmpty() ? converge(in) : standStill(in);
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

    private static Plan converge(PlanInput in) {
        ObjectPlanner objects = new ObjectPlanner(in, new BuildFallback(in));
        Gates gates = new Gates(in.now());
        NodeRepetitions repetitions = new NodeRepetitions(in);
        ReleasePlanner releases = new ReleasePlanner(in, objects);
        Workers workers = Workers.of(in);
        List<StateReport> reports = new ArrayList<>();
        List<Write> forOthers = new ArrayList<>();
        Optional<Outcome> blocked = in.pools().isEmpty()
                ? Optional.empty()
                : dependencies(in, forOthers).or(() -> namespace(in, objects));
        int first = objects.writes().size();
        for (DesiredState desired : in.states()) {
            // Priority classes are needed before there are nodes: pods that wait for one make an autoscaler add it.
            if (in.pools().isEmpty() && !desired.state().id().equals(PartitionManifests.STATE)) {
                continue;
            }
            StateReport report =
                    new StatePlanner(in, desired, gates, objects, releases, workers, repetitions, blocked).plan();
            gates.passed(desired, report);
            reports.add(report);
        }
        // Nothing can be remembered before there is a namespace for it.
        Optional<UpgradePlanner> upgrade = in.pools().isEmpty() || blocked.isPresent() || lacksNamespace(in)
                ? Optional.empty()
                : in.upgrade().map(input -> new UpgradePlanner(in, input, reports, workers));
        Optional<RolloutPlan> rollout = upgrade.map(UpgradePlanner::plan);
        Retirement retirement = new Retirement(in, objects, gates, workers);
        List<Write> retiring = retirement.plan();
        ClaimHold hold = retirement.hold();
        NodeLabelPlanner labels = new NodeLabelPlanner(in, reports, upgrade, workers, repetitions, hold.nodeLabels());
        in.memo().nodes().retain(in);
        List<Write> writes = new ArrayList<>(forOthers);
        upgrade.ifPresent(planner -> writes.addAll(planner.records()));
        writes.addAll(labels.plan());
        TaintPlanner taints = new TaintPlanner(in);
        writes.addAll(taints.plan(reports));
        VerdictPlanner verdicts = new VerdictPlanner(in);
        writes.addAll(verdicts.plan(reports));
        writes.addAll(objects.writes().subList(0, first));
        if (!in.pools().isEmpty() && blocked.isEmpty()) {
            writes.addAll(releases.plan(reports));
        }
        writes.addAll(objects.writes().subList(first, objects.writes().size()));
        if (blocked.isEmpty()) {
            writes.addAll(workers.writes());
        }
        writes.addAll(retiring);
        writes.addAll(repetitions.plan());
        upgrade.ifPresent(planner -> writes.addAll(planner.actions()));
        SortedMap<String, Problem> nodeProblems = new TreeMap<>(in.nodeProblems());
        labels.conflicts().forEach(nodeProblems::putIfAbsent);
        taints.conflicts().forEach(nodeProblems::putIfAbsent);
        workers.problems().forEach(nodeProblems::putIfAbsent);
        verdicts.problems().forEach(nodeProblems::putIfAbsent);
        Optional<String> warning = releases.warning();
        PlanInput told = warning.isEmpty()
                ? in
                : PlanInput.builder().from(in).addWarnings(warning.get()).build();
        reports.addAll(hold.reports());
        Plan plan = finish(told, writes, reports, nodeProblems, retirement.problem(), rollout)
                .of(objects.operands())
                .wakingUp(workers.wakeUp())
                .wakingUp(steady(in))
                .wakingUp(ValidationTime.next(in))
                .wakingUp(objects.runs().wakeUp())
                .wakingUp(repetitions.wakeUp());
        return rollout.map(plan::upgrading).orElse(plan);
    }

    /** When the first pod that broke and runs again counts as ready. */
    private static Instant steady(PlanInput in) {
        Instant next = Instant.MAX;
        for (KubeObject live : in.owned().values()) {
            if (live.ref().kind().equals("DaemonSet")) {
                Instant own = SteadyTime.next(in.lookups().pods(live.uid()), in.now());
                next = own.isBefore(next) ? own : next;
            }
        }
        return next;
    }

    private static boolean lacksNamespace(PlanInput in) {
        return in.namespace().isPresent()
                && !in.owned().containsKey(in.namespace().get().object().ref());
    }

    /** Writes the special resources that are needed first; a reason to wait if they are not all ready. */
    private static Optional<Outcome> dependencies(PlanInput in, List<Write> writes) {
        Outcome worst = Outcome.ready();
        for (Dependency dependency : in.dependencies()) {
            Outcome outcome = dependency.outcome();
            WriteFailure failure = in.failures().get(dependency.ref());
            if (dependency.wanted().isPresent()) {
                if (failure == null || !in.now().isBefore(failure.retryAt())) {
                    writes.add(new Write.Apply(
                            dependency.wanted().get(), dependency.create(), Dependency.STATE, "", dependency.why()));
                }
                outcome = failure == null ? outcome : Outcome.failed(failure.problem());
            }
            worst = Outcome.worse(worst, outcome);
        }
        return worst.isReady() ? Optional.empty() : Optional.of(worst);
    }

    /** Writes the namespace; a reason to wait if it is not there for the others yet. */
    private static Optional<Outcome> namespace(PlanInput in, ObjectPlanner objects) {
        if (in.namespace().isEmpty()) {
            return Optional.empty();
        }
        Desired desired = in.namespace().get();
        KubeObject before = in.owned().get(desired.object().ref());
        Outcome outcome = objects.plan(desired, NAMESPACE, true);
        boolean creating = before == null
                && outcome instanceof Outcome.Waiting waiting
                && waiting.reason().equals(ObjectPlanner.APPLYING);
        boolean usable = creating || (before != null && !before.terminating());
        return usable && !outcome.isFailed() ? Optional.empty() : Optional.of(outcome);
    }

    private static boolean isHeld(PlanInput in) {
        WriteFailure failure = in.failures().get(self(in));
        return failure != null && in.now().isBefore(failure.retryAt());
    }

    private static Plan finish(
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
