package dev.sro.core.plan.validation;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.api.ValidationLimits;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.WakeUps;
import dev.sro.core.plan.Write;
import dev.sro.core.probe.PodFacts;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Validations by DaemonSets that are run again on each node after a time: their pods are deleted, and come again. Until when the
 * result on a node counts is an annotation of the node; by it the node keeps its readiness while it is validated anew, and no longer.
 * Lives for one plan.
 */
public final class NodeRepetitions {

    /** Waits of a pod that is on its way. */
    private static final Set<Code> UNDER_WAY = EnumSet.of(
            Code.POD_MISSING,
            Code.POD_TERMINATING,
            Code.POD_OUTDATED,
            Code.POD_STARTING,
            Code.LOGS_NOT_MATCHED,
            Code.VALIDATION_RETRIED);

    /** One in so many nodes is validated again at a time. */
    private static final int SHARE = 10;

    /** What a state has on its nodes. */
    private static final class Running {
        private final DesiredState desired;
        private final Duration every;
        private final Map<String, List<PodFacts>> byNode = new HashMap<>();
        private List<PodFacts> chosen = List.of();

        Running(DesiredState desired, Duration every) {
            this.desired = desired;
            this.every = every;
        }

        State state() {
            return desired.state();
        }

        /** When the pods on the node were all ready first; empty when they are not. */
        Optional<Instant> validated(String node) {
            List<PodFacts> pods = byNode.getOrDefault(node, List.of());
            return pods.isEmpty() || pods.stream().anyMatch(pod -> !isSettled(pod))
                    ? Optional.empty()
                    : pods.stream().map(PodFacts::changed).max(Comparator.naturalOrder());
        }
    }

    private final ValidationInput in;
    private final WakeUps wakeUps;
    private final String resource;
    private final Map<String, Running> states = new TreeMap<>();

    public NodeRepetitions(ValidationInput in, WakeUps wakeUps) {
        this.in = in;
        this.wakeUps = wakeUps;
        this.resource = in.resource().getMetadata().getName();
        for (DesiredState desired : in.states()) {
            State state = desired.state();
            state.limits()
                    .flatMap(ValidationLimits::repeatEvery)
                    .filter(every -> state.reach().byNode())
                    .ifPresent(every -> states.put(state.id(), running(desired, every)));
        }
    }

    private Running running(DesiredState desired, Duration every) {
        Running running = new Running(desired, every);
        daemonSets(desired)
                .forEach(live -> in.podsOf(live)
                        .forEach(pod -> running.byNode
                                .computeIfAbsent(pod.node(), unused -> new ArrayList<>())
                                .add(pod)));
        running.chosen = chosen(running);
        return running;
    }

    private List<KubeObject> daemonSets(DesiredState desired) {
        List<KubeObject> found = new ArrayList<>();
        desired.objects().map(Desired::object).forEach(object -> {
            KubeObject live = in.owned().get(object.ref());
            if (live != null && !live.terminating() && live.ref().kind().equals("DaemonSet")) {
                found.add(live);
            }
        });
        return found;
    }

    private static boolean isSettled(PodFacts pod) {
        return pod.ready() && !pod.terminating();
    }

    /** The outcomes of a state on nodes: those that are validated anew keep what the last time brought, for a while. */
    public SortedMap<String, Outcome> hold(State state, SortedMap<String, Outcome> said) {
        Running running = states.get(state.id());
        if (running == null || said.values().stream().noneMatch(NodeRepetitions::isUnderWay)) {
            return said;
        }
        SortedMap<String, Outcome> held = new TreeMap<>(said);
        held.replaceAll((node, outcome) -> isUnderWay(outcome) && counts(running, node) ? Outcome.ready() : outcome);
        return held;
    }

    private static boolean isUnderWay(Outcome outcome) {
        return Code.isOneOf(UNDER_WAY, outcome);
    }

    private boolean counts(Running running, String node) {
        ObservedNode observed = in.nodes().get(node);
        if (observed == null || !in.isReached(running.state(), node)) {
            return false;
        }
        Instant until = recorded(running, observed);
        if (in.now().isBefore(until)) {
            wakeUps.wakeAt(until);
            return true;
        }
        return false;
    }

    private String key(Running running) {
        return MetadataKeys.validatedAnnotation(resource, running.state().number());
    }

    /** What cannot be read is long ago. */
    private Instant recorded(Running running, ObservedNode node) {
        try {
            return Instant.parse(node.holds().annotations().getOrDefault(key(running), ""));
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }

    /**
     * Until when the result on the node counts: for the time to the next validation and that for the validation itself, which begins
     * later where SRO was away or others came first. Empty while it is not validated.
     */
    private Optional<Instant> until(Running running, ObservedNode node) {
        Duration grace = ValidationTime.grace(running.state());
        boolean again = running.chosen.stream().anyMatch(pod -> pod.node().equals(node.name()));
        Instant before = recorded(running, node);
        return running.validated(node.name())
                .map(at -> again ? in.now().plus(grace) : at.plus(running.every).plus(grace))
                .map(at -> before.isAfter(at) ? before : at.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Until when results count, for the annotations of the node: where the state is ready there. */
    public SortedMap<String, String> marks(ObservedNode node, List<StateReport> reports, Pool pool) {
        SortedMap<String, String> marks = new TreeMap<>();
        if (states.isEmpty()) {
            return marks;
        }
        for (StateReport report : reports) {
            Running running = states.get(report.state());
            PoolReport inPool = running == null ? null : report.in(pool.name());
            Outcome outcome = inPool == null ? null : inPool.nodes().get(node.name());
            if (running == null || outcome == null) {
                continue;
            }
            String before = node.holds().annotations().get(key(running));
            Optional<Instant> now = until(running, node);
            if (outcome.isReady() && now.isPresent()) {
                marks.put(key(running), Outcomes.time(now.get()));
            } else if (before != null && (outcome.isReady() || !node.facts().ready())) {
                marks.put(key(running), before);
            }
        }
        return marks;
    }

    /** Whether a result on the node counts for longer than the node says. */
    public boolean changes(ObservedNode node) {
        for (Running running : states.values()) {
            Optional<Instant> now = until(running, node);
            if (now.isPresent() && !now.get().equals(recorded(running, node))) {
                return true;
            }
        }
        return false;
    }

    /** Deletes pods whose time it is, of a share of the nodes at once. */
    public List<Write> plan() {
        List<Write> writes = new ArrayList<>();
        states.values().forEach(running -> running.chosen.forEach(pod -> writes.add(deletion(running, pod))));
        return writes;
    }

    private List<PodFacts> chosen(Running running) {
        List<PodFacts> due = new ArrayList<>();
        int underWay = 0;
        int nodes = 0;
        for (Map.Entry<String, List<PodFacts>> onNode : running.byNode.entrySet()) {
            ObservedNode node = in.nodes().get(onNode.getKey());
            if (node == null || !node.facts().ready()) {
                continue;
            }
            nodes++;
            // A node on which it failed is not under way: its pod is tried again by itself.
            if (in.isReached(running.state(), node.name())) {
                boolean settled = onNode.getValue().stream().allMatch(NodeRepetitions::isSettled);
                underWay += settled ? 0 : 1;
                onNode.getValue().stream()
                        .filter(pod -> settled && isDue(running, pod))
                        .forEach(due::add);
            }
        }
        due.sort(Comparator.comparing(PodFacts::changed).thenComparing(PodFacts::name));
        return due.stream()
                .limit(Math.max(0, Math.max(1, nodes / SHARE) - underWay))
                .toList();
    }

    private boolean isDue(Running running, PodFacts pod) {
        Instant due = pod.changed().plus(running.every);
        if (in.now().isBefore(due)) {
            wakeUps.wakeAt(due);
            return false;
        }
        return in.refusals().allow(ref(pod));
    }

    private static ObjectRef ref(PodFacts pod) {
        return new ObjectRef("v1", "Pod", pod.namespace(), pod.name());
    }

    private static Write deletion(Running running, PodFacts pod) {
        return new Write.Delete(
                ref(pod),
                pod.uid(),
                false,
                running.state().id(),
                "",
                "it is time to validate node " + pod.node() + " again, the last time was at " + pod.changed());
    }
}
