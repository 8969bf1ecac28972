package dev.sro.core.plan.state;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.OutcomeKind;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.validation.ValidationTime;
import dev.sro.core.probe.JobOutcomes;
import dev.sro.core.probe.LogOutcomes;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogRule;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.PodOwner;
import dev.sro.core.probe.Readiness;
import dev.sro.core.probe.ReadyWhen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How objects are judged: by the expression in their annotation, or by the recipe, or by the rule of their kind; and after that by
 * the logs of their pods. Lives for one plan.
 */
public final class Probes {

    private final StateInput in;
    private final AnswerLookup asks;

    public Probes(StateInput in, AnswerLookup asks) {
        this.in = in;
        this.asks = asks;
    }

    /** What is said of the object as a whole instead of the rule of its kind. */
    private Optional<Outcome> own(KubeObject live, State state) {
        return ReadyWhen.evaluate(live, in.now()).or(() -> asks.probe(live, state));
    }

    /** What keeps the object as a whole from being ready, or is said of it instead of the rule of its kind. */
    Optional<Outcome> ofWhole(KubeObject live, State state) {
        Optional<Outcome> own = own(live, state);
        Outcome applied = asks.afterApply(live);
        return applied.isReady() ? own : Optional.of(Outcome.worse(own.orElse(applied), applied));
    }

    /** The outcome of the object. */
    public Outcome of(KubeObject live, State state) {
        Outcome outcome = own(live, state).orElseGet(() -> ofKind(live, state));
        List<LogRule> rules = LogRule.of(live, state);
        Outcome logged = outcome.isReady() && !rules.isEmpty() ? logs(live, state, rules) : outcome;
        return Outcome.worse(ValidationTime.ofObject(state, live, logged, in::podsOf, in.now()), asks.afterApply(live));
    }

    private Outcome ofKind(KubeObject live, State state) {
        Outcome outcome = Readiness.judge(live, in.childrenOf(live), in.now());
        // A state with limits says itself how often something may fail.
        return live.ref().kind().equals("Job")
                        && !outcome.isReady()
                        && state.limits().isEmpty()
                ? JobOutcomes.explain(live, outcome, in.podsOf(live), pod -> end(live, pod))
                : outcome;
    }

    private String end(KubeObject live, PodFacts pod) {
        return asks.log(LogQuery.end(live.uid(), pod)).detail();
    }

    private Outcome logs(KubeObject live, State state, List<LogRule> rules) {
        Optional<Problem> fault = fault(live, rules);
        if (fault.isPresent()) {
            return Outcome.failed(fault.get());
        }
        List<PodFacts> pods = new ArrayList<>(in.podsOf(live));
        boolean ended = isEnded(live);
        pods.removeIf(pod -> pod.terminating() || (ended && !pod.phase().equals("Succeeded")));
        long wanted = wantedPods(live, ended);
        if (pods.size() < wanted) {
            return Outcome.waiting(
                    Code.POD_MISSING.text(),
                    in.now(),
                    live + " has " + pods.size() + " of " + wanted + " pods whose logs are to be read");
        }
        return Outcomes.worst(pods.stream()
                .map(pod -> ofLog(live, pod, rules, isReached(state) || in.isReached(state, pod.node())))
                .toList());
    }

    /** Rules of states were looked at before the object was written; an annotation is read where the object is judged. */
    private static Optional<Problem> fault(KubeObject live, List<LogRule> rules) {
        return rules.stream()
                .filter(rule -> rule.container().isEmpty())
                .flatMap(rule -> LogOutcomes.fault(live, rule.regexp()).stream())
                .findFirst();
    }

    /** What is made of what a DaemonSet's pods say of their nodes: their logs count, and the limits of the state. */
    BiFunction<PodFacts, Outcome, Outcome> ofPods(KubeObject daemonSet, State state) {
        Function<PodFacts, Outcome> logs = ofLogs(daemonSet, state);
        return (pod, said) -> ValidationTime.onNode(state, pod, said.isReady() ? logs.apply(pod) : said, in.now());
    }

    private Function<PodFacts, Outcome> ofLogs(KubeObject daemonSet, State state) {
        List<LogRule> rules = LogRule.of(daemonSet, state);
        if (rules.isEmpty()) {
            return pod -> Outcome.ready();
        }
        Optional<Problem> fault = fault(daemonSet, rules);
        if (fault.isPresent()) {
            // The object says so as well; a node that is ready stays it.
            return pod -> in.isReached(state, pod.node()) ? Outcome.ready() : Outcome.failed(fault.get());
        }
        return pod -> ofLog(daemonSet, pod, rules, in.isReached(state, pod.node()));
    }

    private Outcome ofLog(KubeObject live, PodFacts pod, List<LogRule> rules, boolean reached) {
        return Outcomes.worst(rules.stream()
                .map(rule -> {
                    LogQuery query = new LogQuery(live.uid(), PodOwner.identify(live), pod, rule, reached);
                    return LogOutcomes.judge(pod, rule, asks.log(query), in.now());
                })
                .toList());
    }

    private boolean isReached(State state) {
        SpecialResourceStatus status = in.resource().getStatus();
        return status != null
                && status.getStates().stream()
                        .anyMatch(
                                known -> state.id().equals(known.getName()) && known.getOutcome() == OutcomeKind.READY);
    }

    /** A Job of which nobody said that its end is waited for speaks by the pods that run. */
    private boolean isEnded(KubeObject live) {
        return live.ref().kind().equals("Job")
                && Readiness.judge(live, List.of(), in.now()).isReady();
    }

    /** Pods that must be there. Those of a Job that is complete may be gone, and other kinds have none. */
    private static long wantedPods(KubeObject live, boolean ended) {
        return switch (live.ref().kind()) {
            case "DaemonSet" -> ValueTrees.number(live.map("status"), "desiredNumberScheduled", 0);
            case "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController" ->
                ValueTrees.number(live.map("spec"), "replicas", 1);
            case "Pod" -> 1;
            case "Job" -> ended ? 0 : 1;
            default -> 0;
        };
    }
}
