package dev.sro.core.plan.state;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.KmmReadiness;
import dev.sro.core.load.NodeCondition;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.Desired;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.Reasons;
import dev.sro.core.plan.memo.NodeMemo;
import dev.sro.core.plan.worker.Workers;
import dev.sro.core.probe.LogRule;
import dev.sro.core.probe.NodeChoice;
import dev.sro.core.probe.NodeReadiness;
import dev.sro.core.probe.PodFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a state is on each node of a pool, whether or not it may go ahead: what runs goes on running, and its nodes
 * keep their labels. Lives for one plan.
 */
final class NodeOutcomes {

    private record Target(@Nullable KubeObject live, Outcome outcome, boolean affine) {}

    private final StateInput in;
    private final Probes probes;
    private final BuildFallback fallback;
    private final Workers workers;
    private final State state;
    private final String pool;
    private final String kernelLabel;
    private final Outcome obstacle;

    /**
     * @param obstacle why the state does not go ahead in this pool, or Ready
     */
    NodeOutcomes(
            StateInput in,
            Probes probes,
            BuildFallback fallback,
            Workers workers,
            State state,
            String pool,
            String kernelLabel,
            Outcome obstacle) {
        this.in = in;
        this.probes = probes;
        this.fallback = fallback;
        this.workers = workers;
        this.state = state;
        this.pool = pool;
        this.kernelLabel = kernelLabel;
        this.obstacle = obstacle;
    }

    /**
     * By node name; empty when nothing can be said because the DaemonSets cannot be seen.
     *
     * @param outcomes of the objects that shall exist
     * @param rendered whether these are all; if not, the DaemonSets that exist speak for themselves
     */
    SortedMap<String, Outcome> of(Map<Desired, Outcome> outcomes, boolean rendered, List<ObservedNode> nodes) {
        if (in.unseenKinds().containsKey("apps/v1/DaemonSet")) {
            return new TreeMap<>();
        }
        SortedMap<String, Outcome> byNode = new TreeMap<>();
        List<Target> targets = rendered ? desired(outcomes) : existing();
        if (targets.isEmpty() && isByWorkers(outcomes)) {
            Outcome all = Outcome.worse(obstacle, Outcomes.worst(outcomes.values()));
            nodes.forEach(node -> byNode.put(node.name(), byWorkers(node, all)));
        } else if (targets.isEmpty()) {
            Outcome all = Outcome.worse(obstacle, Outcomes.worst(outcomes.values()));
            nodes.forEach(node -> byNode.put(node.name(), all));
        }
        targets.forEach(target -> add(target, nodes, byNode));
        in.awaited()
                .getOrDefault(state.id(), Map.of())
                .forEach((node, why) -> byNode.computeIfPresent(
                        node,
                        (name, said) -> said instanceof Outcome.Waiting
                                ? Outcome.waiting("CapabilityAwaited", in.now(), why)
                                : said));
        return byNode;
    }

    private void add(Target target, List<ObservedNode> nodes, SortedMap<String, Outcome> byNode) {
        KubeObject live = target.live;
        if (live == null) {
            Outcome absent = obstacle.isReady() ? target.outcome : obstacle;
            nodes.forEach(node -> byNode.merge(node.name(), absent, Outcome::worse));
            return;
        }
        List<ObservedNode> meant = meant(live, nodes);
        if (meant.size() < nodes.size()) {
            nodes.forEach(node -> byNode.putIfAbsent(node.name(), Outcome.ready()));
        }
        if (KmmReadiness.isModule(live)) {
            meant.forEach(node ->
                    byNode.merge(node.name(), KmmReadiness.judge(live, node.facts(), in.now()), Outcome::worse));
            return;
        }
        Outcome whole = probes.ofWhole(live, state).orElse(Outcome.ready());
        NodeReadiness.judge(
                        live,
                        in.podsOf(live),
                        meant,
                        target.affine ? kernelLabel : "",
                        probes.ofPods(live, state),
                        in.now())
                .forEach((node, said) -> {
                    Outcome outcome = fallback.explain(said, live, pool);
                    byNode.merge(
                            node,
                            whole.isReady() || in.isReached(state, node) ? outcome : Outcome.worse(outcome, whole),
                            Outcome::worse);
                });
    }

    /** A DaemonSet that is for some nodes of the pool says nothing of the others. */
    private List<ObservedNode> meant(KubeObject live, List<ObservedNode> nodes) {
        Optional<String> variant = live.annotation(MetadataKeys.RUNTIME_VARIANT);
        if (variant.isPresent()) {
            // Whether or not the node has the label already.
            String label = MetadataKeys.runtimeLabel(in.resource().getMetadata().getName());
            return nodes.stream()
                    .filter(node -> variant.get()
                            .equals(in.pluginLabels()
                                    .getOrDefault(node.name(), Map.of())
                                    .get(label)))
                    .toList();
        }
        NodeCondition condition =
                NodeCondition.of(live.annotation(MetadataKeys.LOAD_WHEN).orElse(""));
        if (!condition.isAlways()) {
            return nodes.stream()
                    .filter(node -> condition.matches(node.facts().labels()))
                    .toList();
        }
        NodeChoice choice = choice(live);
        return isMade(choice) ? nodes.stream().filter(choice::matches).toList() : nodes;
    }

    private NodeChoice choice(KubeObject live) {
        return NodeChoice.of(
                live,
                label -> in.owned().values().stream()
                        .anyMatch(other -> label.equals(
                                other.annotation(MetadataKeys.READY_LABEL).orElse(""))));
    }

    /**
     * Whether the author of a chart or of manifests chose some of the nodes. What none of them has is awaited, as the original does for a
     * DaemonSet without a pod: somebody may have forgotten it. A plugin says itself which nodes its states are for.
     */
    private boolean isMade(NodeChoice choice) {
        SpecialResourceSpec spec = in.resource().getSpec();
        return !choice.isAll()
                && (spec == null || spec.getPlugin() == null)
                && in.nodes().values().stream().anyMatch(choice::matches);
    }

    private boolean isByWorkers(Map<Desired, Outcome> outcomes) {
        return workers.serves(pool)
                && outcomes.keySet().stream().anyMatch(desired -> WorkerPods.isTemplate(desired.object()));
    }

    /** What is loaded stays loaded whatever becomes of the objects; a node on which nothing is to be loaded waits for them alone. */
    private Outcome byWorkers(ObservedNode node, Outcome objects) {
        Outcome own = workers.outcome(node.name());
        if (own == null) {
            return objects;
        }
        return own.isReady() || own.isFailed() ? own : Outcome.worse(objects, own);
    }

    /**
     * What {@link #of} depends on apart from the nodes, where it says Ready; empty where that is more than what can be compared: a
     * log, an expression, an obstacle.
     *
     * @param counting pods of other DaemonSets that the state looks at
     */
    Optional<NodeMemo.Basis> basis(Map<Desired, Outcome> outcomes, boolean rendered, List<List<PodFacts>> counting) {
        if (isByWorkers(outcomes)
                || !rendered
                || !obstacle.isReady()
                || in.unseenKinds().containsKey("apps/v1/DaemonSet")) {
            return Optional.empty();
        }
        List<Target> targets = desired(outcomes);
        if (targets.isEmpty() && !Outcomes.worst(outcomes.values()).isReady()) {
            return Optional.empty();
        }
        List<Object> settings = new ArrayList<>();
        List<List<PodFacts>> pods = new ArrayList<>(counting);
        settings.add(state);
        settings.add(counting.size());
        for (Target target : targets) {
            KubeObject live = target.live;
            if (live == null
                    || live.annotation(MetadataKeys.LOAD_WHEN).isPresent()
                    || !LogRule.of(live, state).isEmpty()
                    || !probes.ofWhole(live, state).orElse(Outcome.ready()).isReady()) {
                return Optional.empty();
            }
            settings.add(NodeReadiness.basis(live));
            settings.add(isMade(choice(live)));
            pods.add(in.podsOf(live));
        }
        return Optional.of(new NodeMemo.Basis(settings, pods));
    }

    private List<Target> desired(Map<Desired, Outcome> outcomes) {
        Map<Desired, Target> targets = new LinkedHashMap<>();
        outcomes.forEach((object, outcome) -> {
            KubeObject live = in.owned().get(object.object().ref());
            if (isOnNodes(object.object()) && isWaitedFor(live)) {
                boolean usable = live != null && !live.terminating() && !isFormer(outcome);
                targets.put(object, new Target(usable ? live : null, outcome, object.pool() != null));
            }
        });
        return List.copyOf(targets.values());
    }

    /** What is more or less far on each node. */
    static boolean isOnNodes(KubeObject object) {
        return object.ref().kind().equals("DaemonSet") || KmmReadiness.isModule(object);
    }

    private List<Target> existing() {
        return in.owned().values().stream()
                .filter(live -> isOnNodes(live) && isWaitedFor(live))
                .filter(live -> live.annotation(MetadataKeys.STATE).orElse("").equals(state.id()))
                .filter(live -> live.annotation(MetadataKeys.POOL).orElse(pool).equals(pool))
                .map(live -> new Target(
                        live.terminating() ? null : live,
                        obstacle,
                        live.annotation(MetadataKeys.POOL).isPresent()))
                .toList();
    }

    private static boolean isWaitedFor(@Nullable KubeObject live) {
        return live == null
                || !"false".equals(live.annotation(MetadataKeys.WAIT).orElse(""));
    }

    private static boolean isFormer(Outcome outcome) {
        return outcome instanceof Outcome.Waiting waiting && waiting.reason().equals(Reasons.FORMER);
    }
}
