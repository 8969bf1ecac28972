package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.PartitionManifests;
import dev.sro.core.model.KubeObject;
import dev.sro.core.probe.SteadyTime;
import dev.sro.core.upgrade.RolloutPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** From what is to what the recipe wants, by everybody who has a part in it. Lives for one plan. */
final class Convergence {

    private static final State NAMESPACE =
            State.builder().id("0000-namespace").scope(State.Scope.CLUSTER).build();

    private final PlanInput in;
    private final ObjectPlanner objects;
    private final Gates gates;
    private final NodeRepetitions repetitions;
    private final ReleasePlanner releases;
    private final Workers workers;
    private final List<StateReport> reports = new ArrayList<>();
    private final List<Write> forOthers = new ArrayList<>();
    private final Optional<Outcome> blocked;

    /** So many writes of objects come before those of states. */
    private final int first;

    Convergence(PlanInput in) {
        this.in = in;
        this.objects = new ObjectPlanner(in, new BuildFallback(in));
        this.gates = new Gates(in.now());
        this.repetitions = new NodeRepetitions(in);
        this.releases = new ReleasePlanner(in, objects);
        this.workers = Workers.of(in);
        this.blocked = in.pools().isEmpty() ? Optional.empty() : dependencies().or(this::namespace);
        this.first = objects.writes().size();
    }

    Plan plan() {
        states();
        // Nothing can be remembered before there is a namespace for it.
        Optional<UpgradePlanner> upgrade = in.pools().isEmpty() || blocked.isPresent() || lacksNamespace()
                ? Optional.empty()
                : in.upgrade().map(input -> new UpgradePlanner(in, input, reports, workers));
        Optional<RolloutPlan> rollout = upgrade.map(UpgradePlanner::plan);
        Retirement retirement = new Retirement(in, objects, gates, workers);
        List<Write> retiring = retirement.plan();
        ClaimHold hold = retirement.hold();
        NodeLabelPlanner labels = new NodeLabelPlanner(in, reports, upgrade, workers, repetitions, hold.nodeLabels());
        TaintPlanner taints = new TaintPlanner(in);
        VerdictPlanner verdicts = new VerdictPlanner(in);
        in.memo().nodes().retain(in);

        List<Write> writes = new ArrayList<>(forOthers);
        upgrade.ifPresent(planner -> writes.addAll(planner.records()));
        writes.addAll(labels.plan());
        writes.addAll(taints.plan(reports));
        writes.addAll(verdicts.plan(reports));
        ofObjects(writes);
        writes.addAll(retiring);
        writes.addAll(repetitions.plan());
        upgrade.ifPresent(planner -> writes.addAll(planner.actions()));

        SortedMap<String, Problem> nodeProblems = new TreeMap<>(in.nodeProblems());
        labels.conflicts().forEach(nodeProblems::putIfAbsent);
        taints.conflicts().forEach(nodeProblems::putIfAbsent);
        workers.problems().forEach(nodeProblems::putIfAbsent);
        verdicts.problems().forEach(nodeProblems::putIfAbsent);
        reports.addAll(hold.reports());
        Plan plan = Planner.finish(told(), writes, reports, nodeProblems, retirement.problem(), rollout)
                .of(objects.operands())
                .leaving(retirement.leaving())
                .wakingUp(workers.wakeUp())
                .wakingUp(steady())
                .wakingUp(ValidationTime.next(in))
                .wakingUp(objects.runs().wakeUp())
                .wakingUp(objects.fallback().wakeUp())
                .wakingUp(repetitions.wakeUp());
        return rollout.map(plan::upgrading).orElse(plan);
    }

    private void states() {
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
        releases.namespaceOfHooks(reports).ifPresent(namespace -> objects.write(namespace, null, "missing"));
    }

    /** The namespace, then records of releases, then what is in them. */
    private void ofObjects(List<Write> writes) {
        writes.addAll(objects.writes().subList(0, first));
        if (!in.pools().isEmpty() && blocked.isEmpty()) {
            writes.addAll(releases.plan(reports));
        }
        writes.addAll(objects.writes().subList(first, objects.writes().size()));
        if (blocked.isEmpty()) {
            writes.addAll(workers.writes());
        }
    }

    /** The input with what else the user has to be warned of. */
    private PlanInput told() {
        Optional<String> warning = releases.warning();
        return warning.isEmpty()
                ? in
                : PlanInput.builder().from(in).addWarnings(warning.get()).build();
    }

    /** When the first pod that broke and runs again counts as ready. */
    private Instant steady() {
        Instant next = Instant.MAX;
        for (KubeObject live : in.owned().values()) {
            if (live.ref().kind().equals("DaemonSet")) {
                Instant own = SteadyTime.next(in.lookups().pods(live.uid()), in.now());
                next = own.isBefore(next) ? own : next;
            }
        }
        return next;
    }

    private boolean lacksNamespace() {
        return in.namespace().isPresent()
                && !in.owned().containsKey(in.namespace().get().object().ref());
    }

    /** Writes the special resources that are needed first; a reason to wait if they are not all ready. */
    private Optional<Outcome> dependencies() {
        Outcome worst = Outcome.ready();
        for (Dependency dependency : in.dependencies()) {
            Outcome outcome = dependency.outcome();
            WriteFailure failure = in.failures().get(dependency.ref());
            if (dependency.wanted().isPresent()) {
                if (failure == null || !in.now().isBefore(failure.retryAt())) {
                    forOthers.add(new Write.Apply(
                            dependency.wanted().get(), dependency.create(), Dependency.STATE, "", dependency.why()));
                }
                outcome = failure == null ? outcome : Outcome.failed(failure.problem());
            }
            worst = Outcome.worse(worst, outcome);
        }
        return worst.isReady() ? Optional.empty() : Optional.of(worst);
    }

    /** Writes the namespace; a reason to wait if it is not there for the others yet. */
    private Optional<Outcome> namespace() {
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
}
