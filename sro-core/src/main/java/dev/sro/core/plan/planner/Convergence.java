package dev.sro.core.plan.planner;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.PartitionManifests;
import dev.sro.core.model.KubeObject;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Reasons;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.WritePhase;
import dev.sro.core.plan.memo.NodeMemo;
import dev.sro.core.plan.memo.SyncMemo;
import dev.sro.core.plan.node.NodeLabelPlanner;
import dev.sro.core.plan.node.TaintPlanner;
import dev.sro.core.plan.release.ReleasePlanner;
import dev.sro.core.plan.removal.ClaimHold;
import dev.sro.core.plan.removal.RemovalOrder;
import dev.sro.core.plan.removal.Retirement;
import dev.sro.core.plan.state.BuildFallback;
import dev.sro.core.plan.state.Gates;
import dev.sro.core.plan.state.ObjectPlanner;
import dev.sro.core.plan.state.Probes;
import dev.sro.core.plan.state.StatePlanner;
import dev.sro.core.plan.upgrade.UpgradePlanner;
import dev.sro.core.plan.validation.NodeRepetitions;
import dev.sro.core.plan.validation.ValidationTime;
import dev.sro.core.plan.validation.VerdictPlanner;
import dev.sro.core.plan.worker.Workers;
import dev.sro.core.probe.SteadyTime;
import dev.sro.core.upgrade.machine.RolloutPlan;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** From what is to what the recipe wants, by everybody who has a part in it. Lives for one plan. */
final class Convergence {

    private static final State NAMESPACE =
            State.builder().id("0000-namespace").scope(State.Scope.CLUSTER).build();

    private final PlanInput in;
    private final NodeMemo memo;
    private final AnswerLookup asks;
    private final Draft draft;
    private final Probes probes;
    private final ObjectPlanner objects;
    private final Gates gates;
    private final NodeRepetitions repetitions;
    private final ReleasePlanner releases;
    private final Workers workers;

    Convergence(PlanInput in, SyncMemo memo) {
        this.in = in;
        this.memo = memo.nodes();
        this.asks = in.inquiry();
        this.draft = new Draft(in.nodeProblems());
        this.probes = new Probes(in, asks);
        this.objects = new ObjectPlanner(in, draft, probes, memo, new BuildFallback(in, draft));
        this.gates = new Gates(in.now(), draft);
        this.repetitions = new NodeRepetitions(in, draft);
        this.releases = new ReleasePlanner(in, draft::isWanted);
        this.workers = Workers.of(in);
    }

    Plan plan() {
        Optional<Outcome> blocked =
                in.pools().isEmpty() ? Optional.empty() : dependencies().or(this::namespace);
        states(blocked);
        // Nothing can be remembered before there is a namespace for it.
        Optional<UpgradePlanner> upgrade = in.pools().isEmpty() || blocked.isPresent() || lacksNamespace()
                ? Optional.empty()
                : in.upgrade().map(input -> new UpgradePlanner(in, asks, input, draft.reports(), workers));
        Optional<RolloutPlan> rollout = upgrade.map(UpgradePlanner::plan);
        upgrade.ifPresent(planner -> draft.write(WritePhase.UPGRADE_RECORDS, planner.records()));
        Retirement retirement = new Retirement(in, asks, draft, workers, new RemovalOrder(in, asks));
        draft.write(WritePhase.RETIREMENT, retirement.plan());
        memo.retain(
                in.states().stream().map(state -> state.state().id()).collect(Collectors.toSet()),
                in.members().keySet());
        nodes(upgrade, retirement.hold());
        if (!in.pools().isEmpty() && blocked.isEmpty()) {
            draft.write(WritePhase.RELEASES, releases.plan(draft.reports()));
        }
        if (blocked.isEmpty()) {
            draft.write(WritePhase.WORKERS, workers.writes());
        }
        draft.write(WritePhase.REPETITIONS, repetitions.plan());
        upgrade.ifPresent(planner -> draft.write(WritePhase.UPGRADE_ACTIONS, planner.actions()));
        retirement.hold().reports().forEach(draft::report);
        draft.wakeAt(workers.wakeUp());
        draft.wakeAt(steady());
        draft.wakeAt(ValidationTime.next(in));
        Plan plan = new PlanCompletion(told(), draft)
                .plan(retirement.problem(), rollout)
                .wanting(draft.operands())
                .leaving(retirement.leaving())
                .wakingUp(draft.wakeUp())
                .demanding(asks.demands());
        return rollout.map(plan::upgrading).orElse(plan);
    }

    private void states(Optional<Outcome> blocked) {
        for (DesiredState desired : in.states()) {
            // Priority classes are needed before there are nodes: pods that wait for one make an autoscaler add it.
            if (in.pools().isEmpty() && !desired.state().id().equals(PartitionManifests.STATE)) {
                continue;
            }
            StateReport report = new StatePlanner(
                            in, draft, probes, memo, desired, gates, objects, releases, workers, repetitions, blocked)
                    .plan();
            gates.passed(desired, report);
            draft.report(report);
        }
        releases.namespaceOfHooks(draft.reports()).ifPresent(namespace -> objects.write(namespace, null, "missing"));
    }

    /** What nodes carry. */
    private void nodes(Optional<UpgradePlanner> upgrade, ClaimHold hold) {
        NodeLabelPlanner labels =
                new NodeLabelPlanner(in, memo, draft.reports(), upgrade, workers, repetitions, hold.nodeLabels());
        draft.write(WritePhase.NODE_LABELS, labels.plan());
        draft.problems(labels.conflicts());
        TaintPlanner taints = new TaintPlanner(in);
        draft.write(WritePhase.NODE_TAINTS, taints.plan(draft.reports()));
        draft.problems(taints.conflicts());
        draft.problems(workers.problems());
        VerdictPlanner verdicts = new VerdictPlanner(in);
        draft.write(WritePhase.NODE_CONDITIONS, verdicts.plan(draft.reports()));
        draft.problems(verdicts.problems());
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
                Instant own = SteadyTime.next(in.podsOf(live), in.now());
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
            if (dependency.wanted().isPresent()) {
                if (in.refusals().allow(dependency.ref())) {
                    draft.write(
                            WritePhase.DEPENDENCIES,
                            new Write.Apply(
                                    dependency.wanted().get(),
                                    dependency.create(),
                                    Dependency.STATE,
                                    "",
                                    dependency.why()));
                }
                outcome = in.refusals()
                        .problem(dependency.ref())
                        .map(Outcome::failed)
                        .orElse(outcome);
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
        boolean creating = before == null && Reasons.is(outcome, Reasons.APPLYING);
        boolean usable = creating || (before != null && !before.terminating());
        return usable && !outcome.isFailed() ? Optional.empty() : Optional.of(outcome);
    }
}
