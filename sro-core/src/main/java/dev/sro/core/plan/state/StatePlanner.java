package dev.sro.core.plan.state;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.Reasons;
import dev.sro.core.plan.StateNodes;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.memo.NodeMemo;
import dev.sro.core.plan.release.ReleasePlanner;
import dev.sro.core.plan.validation.NodeRepetitions;
import dev.sro.core.plan.worker.Workers;
import dev.sro.core.probe.RuleOutcomes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Plans one state: which of its objects to write, and how far it is in each pool. Lives for one plan. */
public final class StatePlanner {

    private final StateInput in;
    private final StateDraft draft;
    private final Probes probes;
    private final NodeMemo memo;
    private final DesiredState desired;
    private final State state;
    private final Gates gates;
    private final ObjectPlanner objects;
    private final Optional<Outcome> blocked;
    private final ReleasePlanner releases;
    private final Workers workers;
    private final CountingPods counting;
    private final NodeRepetitions repetitions;
    private final Map<Desired, Outcome> sharedOutcomes = new LinkedHashMap<>();

    /**
     * @param blocked what keeps every state from going ahead
     */
    public StatePlanner(
            StateInput in,
            StateDraft draft,
            Probes probes,
            NodeMemo memo,
            DesiredState desired,
            Gates gates,
            ObjectPlanner objects,
            ReleasePlanner releases,
            Workers workers,
            NodeRepetitions repetitions,
            Optional<Outcome> blocked) {
        this.repetitions = repetitions;
        this.releases = releases;
        this.workers = workers;
        this.in = in;
        this.draft = draft;
        this.probes = probes;
        this.memo = memo;
        this.desired = desired;
        this.state = desired.state();
        this.counting = new CountingPods(in, state);
        this.gates = gates;
        this.objects = objects;
        this.blocked = blocked;
    }

    public StateReport plan() {
        SortedMap<String, PoolReport> reports = new TreeMap<>();
        boolean cluster = state.scope() == State.Scope.CLUSTER;
        Map<String, Outcome> gateByPool = new HashMap<>();
        List<String> names = cluster
                ? List.of(StateReport.NO_POOL)
                : in.pools().stream().map(Pool::name).toList();
        for (String pool : names) {
            gateByPool.put(pool, blocked.orElseGet(() -> gates.into(desired, pool)));
        }
        hold(gateByPool);
        boolean anyOpen = gateByPool.values().stream().anyMatch(Outcome::isReady);
        for (Desired shared : desired.shared()) {
            sharedOutcomes.put(shared, objects.plan(shared, state, anyOpen));
        }
        if (cluster) {
            boolean byNode = state.reach().byNode() || RuleOutcomes.concernNodes(state.readiness());
            List<ObservedNode> all = byNode ? List.copyOf(in.nodes().values()) : List.of();
            reports.put(
                    StateReport.NO_POOL,
                    pool(StateReport.NO_POOL, all, "", gateByPool.getOrDefault(StateReport.NO_POOL, Outcome.ready())));
        } else {
            for (Pool pool : in.pools()) {
                List<ObservedNode> nodes = in.members().getOrDefault(pool.name(), List.of());
                reports.put(
                        pool.name(),
                        pool(
                                pool.name(),
                                nodes,
                                pool.kernelLabel(),
                                gateByPool.getOrDefault(pool.name(), Outcome.ready())));
            }
        }
        return withLastHooks(reports);
    }

    /** As long as hooks that come first are not done, nothing of the state is written. */
    private void hold(Map<String, Outcome> gateByPool) {
        if (desired.hooks().isEmpty() || gateByPool.values().stream().noneMatch(Outcome::isReady)) {
            return;
        }
        Outcome hooks = releases.before(desired);
        if (!hooks.isReady()) {
            draft.hold(state.id());
            gateByPool.replaceAll((pool, gate) -> gate.isReady() ? hooks : gate);
        }
    }

    private StateReport withLastHooks(SortedMap<String, PoolReport> reports) {
        Outcome outcome = worst(reports);
        if (!outcome.isReady() || desired.hooks().isEmpty()) {
            return new StateReport(state.id(), state.reach().byNode(), outcome, reports);
        }
        Outcome hooks = releases.after(desired);
        if (!hooks.isReady()) {
            reports.replaceAll((pool, report) -> new PoolReport(hooks, report.nodes()));
        }
        return new StateReport(state.id(), state.reach().byNode(), hooks, reports);
    }

    private PoolReport pool(String pool, List<ObservedNode> nodes, String kernelLabel, Outcome gate) {
        List<Desired> own = desired.byPool().getOrDefault(pool, List.of());
        Map<Desired, Outcome> outcomes = new LinkedHashMap<>(sharedOutcomes);
        for (Desired object : own) {
            outcomes.put(object, objects.plan(object, state, gate.isReady()));
        }
        Optional<Outcome> unrendered = desired.obstacle(pool);
        Outcome obstacle = unrendered.orElse(gate);
        SortedMap<String, Outcome> byNode = state.reach().byNode()
                ? byNode(
                        new NodeOutcomes(in, probes, objects.fallback(), workers, state, pool, kernelLabel, obstacle),
                        pool,
                        outcomes,
                        unrendered.isEmpty(),
                        nodes)
                : new TreeMap<>();
        if (!obstacle.isReady()) {
            return new PoolReport(obstacle, byNode);
        }
        if (byNode.isEmpty()) {
            return PoolReport.of(Outcome.worse(Outcomes.worst(outcomes.values()), byRules(nodes)));
        }
        Outcome ofNodes = memo.isAllReady(state.id(), pool, byNode) ? Outcome.ready() : summary(byNode);
        return memo.report(state.id(), pool, Outcome.worse(asAWhole(outcomes), ofNodes), byNode);
    }

    /** Only nodes that changed or are not ready are judged anew. */
    private SortedMap<String, Outcome> byNode(
            NodeOutcomes judge,
            String pool,
            Map<Desired, Outcome> outcomes,
            boolean rendered,
            List<ObservedNode> nodes) {
        // Whether a node may keep what it left depends on the states before, which are not in what is compared.
        Optional<NodeMemo.Basis> basis =
                state.reach().leavesWhenReady() || !ofOthers(outcomes).isReady()
                        ? Optional.empty()
                        : judge.basis(outcomes, rendered, counting.all());
        return repetitions.hold(state, memo.outcomes(state.id(), pool, basis, nodes, some -> {
            List<ObservedNode> meant = meant(some);
            SortedMap<String, Outcome> judged = judge.of(outcomes, rendered, meant);
            Outcome others = ofOthers(outcomes);
            if (!others.isReady()) {
                judged.replaceAll(
                        (name, outcome) -> in.isReached(state, name) ? outcome : Outcome.worse(outcome, others));
            }
            if (state.reach().leavesWhenReady()) {
                judged.replaceAll((name, outcome) -> leaving(pool, name, outcome));
            }
            if (!state.readiness().isEmpty()) {
                judged.replaceAll((name, outcome) ->
                        Outcome.worse(outcome, byRules(in.nodes().get(name))));
            }
            if (meant.size() < some.size() && (meant.isEmpty() || !judged.isEmpty())) {
                some.forEach(node -> judged.putIfAbsent(node.name(), Outcome.ready()));
            }
            return judged;
        }));
    }

    /** Those that the state is for. */
    private List<ObservedNode> meant(List<ObservedNode> nodes) {
        if (state.nodes().isEmpty()) {
            return nodes;
        }
        return nodes.stream()
                .filter(node -> StateNodes.isFor(state, node.facts().labels()))
                .toList();
    }

    /**
     * Of a state that leaves when it is ready: ready on nodes that its pods have left, or are leaving. They leave only where the states
     * before are ready, as they come back where these are not any more: otherwise they would come and go for ever.
     */
    private Outcome leaving(String pool, String node, Outcome outcome) {
        if (!gates.areReadyOn(desired, pool, node)) {
            return outcome.isReady()
                    ? Outcome.waiting(
                            "PreviousStateOnNode",
                            in.now(),
                            "states before " + state.id() + " are not ready on node " + node)
                    : outcome;
        }
        return in.isReached(state, node) ? Outcome.ready() : outcome;
    }

    private Outcome byRules(@Nullable ObservedNode node) {
        return node == null || state.readiness().isEmpty()
                ? Outcome.ready()
                : RuleOutcomes.judge(
                        node.facts(), state.readiness(), container -> counting.on(node.name(), container), in.now());
    }

    /** Of a state that is not reached node by node: the worst of all nodes. */
    private Outcome byRules(List<ObservedNode> nodes) {
        return RuleOutcomes.concernNodes(state.readiness())
                ? Outcomes.worst(meant(nodes).stream().map(this::byRules).toList())
                : Outcome.ready();
    }

    /** Of everything that is not judged pod by pod: all but DaemonSets that are there, not refused and not judged by the plugin. */
    private Outcome asAWhole(Map<Desired, Outcome> outcomes) {
        List<Outcome> others = new ArrayList<>();
        outcomes.forEach((object, outcome) -> {
            KubeObject live = in.owned().get(object.object().ref());
            boolean byPods = live != null
                    && !live.terminating()
                    && live.ref().kind().equals("DaemonSet")
                    && probes.ofWhole(live, state).isEmpty();
            if (!byPods || outcome.isFailed() || Reasons.is(outcome, Reasons.APPLYING)) {
                others.add(outcome);
            }
        });
        return Outcomes.worst(others);
    }

    /** Of what is on no node: as long as it is not ready, no further node has reached the state. */
    private Outcome ofOthers(Map<Desired, Outcome> outcomes) {
        Outcome worst = Outcome.ready();
        for (Map.Entry<Desired, Outcome> each : outcomes.entrySet()) {
            if (!NodeOutcomes.isOnNodes(each.getKey().object())) {
                worst = Outcome.worse(worst, each.getValue());
            }
        }
        return worst;
    }

    private Outcome summary(SortedMap<String, Outcome> byNode) {
        int ready = 0;
        Outcome worst = Outcome.ready();
        for (Outcome outcome : byNode.values()) {
            ready += outcome.isReady() ? 1 : 0;
            worst = Outcome.worse(worst, outcome);
        }
        OptionalInt needed = RuleOutcomes.needed(state.readiness(), byNode.size());
        if (needed.isPresent() && ready >= needed.getAsInt()) {
            return Outcome.ready();
        }
        String counts = ready + " of " + byNode.size() + " nodes ready; ";
        if (worst instanceof Outcome.Waiting waiting) {
            return Outcome.waiting(waiting.reason(), waiting.since(), counts + waiting.on());
        }
        if (worst instanceof Outcome.Failed failed) {
            Problem p = failed.problem();
            return Outcome.failed(new Problem(p.code(), counts + p.message(), p.owner(), p.retryable()));
        }
        return worst;
    }

    private static Outcome worst(SortedMap<String, PoolReport> reports) {
        return Outcomes.worst(reports.values().stream().map(PoolReport::outcome).toList());
    }
}
