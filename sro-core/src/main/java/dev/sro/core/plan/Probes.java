package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.OutcomeKind;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.Trees;
import dev.sro.core.probe.LogOutcomes;
import dev.sro.core.probe.LogQuery;
import dev.sro.core.probe.LogRule;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.Readiness;
import dev.sro.core.probe.ReadyWhen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How objects are judged: by the expression in their annotation, or by the recipe, or by the rule of their kind; and after that by
 * the logs of their pods. Stateless.
 */
final class Probes {

    private Probes() {}

    /** What is said of the object as a whole instead of the rule of its kind. */
    static Optional<Outcome> own(PlanInput in, KubeObject live, State state) {
        return ReadyWhen.of(live, in.now()).or(() -> in.lookups().probe(live, state, in.now()));
    }

    /** What keeps the object as a whole from being ready, or is said of it instead of the rule of its kind. */
    static Optional<Outcome> ofWhole(PlanInput in, KubeObject live, State state) {
        Optional<Outcome> own = own(in, live, state);
        Outcome applied = in.lookups().afterApply(live, in.now());
        return applied.isReady() ? own : Optional.of(Outcome.worse(own.orElse(applied), applied));
    }

    /** The outcome of the object. */
    static Outcome of(PlanInput in, KubeObject live, State state) {
        Outcome outcome = own(in, live, state)
                .orElseGet(() -> Readiness.of(live, in.lookups().children(live.uid()), in.now()));
        List<LogRule> rules = LogRule.of(live, state);
        Outcome logged = outcome.isReady() && !rules.isEmpty() ? logs(in, live, state, rules) : outcome;
        return Outcome.worse(
                ValidationTime.ofObject(in, state, live, logged), in.lookups().afterApply(live, in.now()));
    }

    private static Outcome logs(PlanInput in, KubeObject live, State state, List<LogRule> rules) {
        Optional<Problem> fault = fault(live, rules);
        if (fault.isPresent()) {
            return Outcome.failed(fault.get());
        }
        List<PodFacts> pods = new ArrayList<>(in.lookups().pods(owner(live)));
        boolean ended = isEnded(in, live);
        pods.removeIf(pod -> pod.terminating() || (ended && !pod.phase().equals("Succeeded")));
        long wanted = wantedPods(live, ended);
        if (pods.size() < wanted) {
            return Outcome.waiting(
                    Code.POD_MISSING.text(),
                    in.now(),
                    live + " has " + pods.size() + " of " + wanted + " pods whose logs are to be read");
        }
        return StatePlanner.worst(pods.stream()
                .map(pod -> ofLog(in, live, pod, rules, isReached(in, state) || isReached(in, state, pod.node())))
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
    static BiFunction<PodFacts, Outcome, Outcome> ofPods(PlanInput in, KubeObject daemonSet, State state) {
        Function<PodFacts, Outcome> logs = ofLogs(in, daemonSet, state);
        return (pod, said) -> ValidationTime.onNode(state, pod, said.isReady() ? logs.apply(pod) : said, in.now());
    }

    private static Function<PodFacts, Outcome> ofLogs(PlanInput in, KubeObject daemonSet, State state) {
        List<LogRule> rules = LogRule.of(daemonSet, state);
        if (rules.isEmpty()) {
            return pod -> Outcome.ready();
        }
        Optional<Problem> fault = fault(daemonSet, rules);
        if (fault.isPresent()) {
            // The object says so as well; a node that is ready stays it.
            return pod -> isReached(in, state, pod.node()) ? Outcome.ready() : Outcome.failed(fault.get());
        }
        return pod -> ofLog(in, daemonSet, pod, rules, isReached(in, state, pod.node()));
    }

    private static Outcome ofLog(PlanInput in, KubeObject live, PodFacts pod, List<LogRule> rules, boolean reached) {
        return StatePlanner.worst(rules.stream()
                .map(rule -> {
                    LogQuery query = new LogQuery(live.uid(), owner(live), pod, rule, reached);
                    return LogOutcomes.of(pod, rule, in.lookups().log(query), in.now());
                })
                .toList());
    }

    /**
     * Whether the state was reached on the node before. What is said of a DaemonSet as a whole keeps it from being reached; it
     * takes nothing away from nodes whose own pods are ready, whatever happens on others.
     */
    static boolean isReached(PlanInput in, State state, String node) {
        ObservedNode observed = in.nodes().get(node);
        String resource = in.resource().getMetadata().getName();
        String label = Marks.stateLabel(resource, state.id().substring(0, 4));
        return observed != null
                && observed.appliedLabels()
                        .getOrDefault(Marks.nodeManager(resource), Set.of())
                        .contains(label)
                && !Marks.STATE_LEAVING.equals(observed.facts().labels().get(label));
    }

    private static boolean isReached(PlanInput in, State state) {
        SpecialResourceStatus status = in.resource().getStatus();
        return status != null
                && status.getStates().stream()
                        .anyMatch(
                                known -> state.id().equals(known.getName()) && known.getOutcome() == OutcomeKind.READY);
    }

    /** A Job of which nobody said that its end is waited for speaks by the pods that run. */
    private static boolean isEnded(PlanInput in, KubeObject live) {
        return live.ref().kind().equals("Job")
                && Readiness.of(live, List.of(), in.now()).isReady();
    }

    private static String owner(KubeObject live) {
        String kind = live.ref().kind();
        return kind.equals("Deployment") || kind.equals("Pod")
                ? kind + "/" + live.ref().namespace() + "/" + live.ref().name()
                : live.uid();
    }

    /** Pods that must be there. Those of a Job that is complete may be gone, and other kinds have none. */
    private static long wantedPods(KubeObject live, boolean ended) {
        return switch (live.ref().kind()) {
            case "DaemonSet" -> Trees.number(live.map("status"), "desiredNumberScheduled", 0);
            case "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController" ->
                Trees.number(live.map("spec"), "replicas", 1);
            case "Pod" -> 1;
            case "Job" -> ended ? 0 : 1;
            default -> 0;
        };
    }
}
