package dev.sro.core.plan.worker;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.load.NodeCondition;
import dev.sro.core.load.NodeLoad;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.load.WorkerTask;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plan.LabelOwnership;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.worker.WorkerStep.Permit;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.upgrade.machine.DriverPod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plans the worker pods of a special resource: which node gets one next, what it says of nodes, and what is kept for it. What is
 * loaded where is in one label of each node. Does nothing, at no cost, where no recipe has worker pods. Lives for one plan.
 */
public final class Workers {

    /** Objects beside the templates that their pods need. */
    private static final Set<String> ACCOUNTS = Set.of("ServiceAccount", "Role", "RoleBinding");

    private final WorkerInput in;
    private final String label;
    private final Map<String, List<KubeObject>> wanted = new HashMap<>();
    private final Map<String, KubeObject> templates = new HashMap<>();
    private final Map<String, PodFacts> pods = new HashMap<>();
    private final Set<String> unknownPools = new HashSet<>();
    private final SortedMap<String, WorkerStep> steps = new TreeMap<>();
    private final Set<String> configs = new HashSet<>();
    private final Set<String> states = new HashSet<>();
    private final Set<String> upgraded = new HashSet<>();

    private Workers(WorkerInput in) {
        this.in = in;
        this.label = MetadataKeys.loadedLabel(in.resource().getMetadata().getName());
        for (KubeObject live : in.owned().values()) {
            if (WorkerPods.isTemplate(live) && !live.terminating()) {
                templates.put(live.annotation(MetadataKeys.LOAD_CONFIG).orElse(""), live);
                states.add(live.annotation(MetadataKeys.STATE).orElse(""));
            }
        }
        // Without autoUpgrade everybody may replace what is loaded at any time.
        in.upgrade()
                .filter(upgrade -> upgrade.rules().autoUpgrade())
                .ifPresent(upgrade -> upgrade.drivers()
                        .forEach(driver -> driver.object()
                                .annotation(MetadataKeys.LOAD_CONFIG)
                                .ifPresent(upgraded::add)));
        in.workerPods().forEach(pod -> pods.put(pod.node(), pod));
    }

    /** For a special resource that is there to stay. */
    public static Workers of(WorkerInput in) {
        Workers workers = new Workers(in);
        in.states().forEach(workers::want);
        if (workers.isIdle()) {
            return workers;
        }
        for (Pool pool : in.pools()) {
            for (String name : pool.nodes()) {
                ObservedNode node = in.nodes().get(name);
                if (node != null && !workers.isUnknown(pool.name())) {
                    workers.step(node, pool.name());
                }
            }
        }
        in.strays().forEach(node -> workers.step(node, ""));
        return workers;
    }

    /** For one that goes, and wants nothing on any node. */
    public static Workers leaving(WorkerInput in) {
        Workers workers = new Workers(in);
        if (!workers.isIdle()) {
            in.nodes().values().forEach(node -> workers.step(node, ""));
            in.strays().forEach(node -> workers.step(node, ""));
        }
        return workers;
    }

    private void want(DesiredState desired) {
        desired.byPool().forEach((pool, objects) -> {
            for (Desired object : objects) {
                if (WorkerPods.isTemplate(object.object())) {
                    wanted.computeIfAbsent(pool, unused -> new ArrayList<>()).add(object.object());
                }
            }
        });
        unknownPools.addAll(desired.problems().keySet());
    }

    /** Whether no recipe has worker pods and none are left: nothing is said of any node then. */
    public boolean isIdle() {
        return wanted.isEmpty() && templates.isEmpty() && pods.isEmpty();
    }

    /** What cannot be rendered, or cannot be seen, is not unwanted. */
    private boolean isUnknown(String pool) {
        boolean broken = unknownPools.contains(pool) || unknownPools.contains(StateReport.NO_POOL);
        return in.unseenKinds().containsKey("v1/" + WorkerPods.KIND) || (broken && !wanted.containsKey(pool));
    }

    private void step(ObservedNode node, String pool) {
        KubeObject template = wanted.getOrDefault(pool, List.of()).stream()
                .filter(one -> NodeCondition.of(
                                one.annotation(MetadataKeys.LOAD_WHEN).orElse(""))
                        .matches(node.facts().labels()))
                .findFirst()
                .orElse(null);
        PodFacts pod = pods.get(node.name());
        Optional<NodeLoad> recorded = recorded(node);
        recorded.ifPresent(load -> configs.add(load.config()));
        if (pod != null) {
            WorkerTask.parse(pod.work()).ifPresent(work -> configs.add(work.config()));
        }
        if (template != null || pod != null || recorded.isPresent()) {
            String config = template == null
                    ? ""
                    : template.annotation(MetadataKeys.LOAD_CONFIG).orElse("");
            Permit permit = upgraded.contains(config) ? Permit.NONE : Permit.REPLACE;
            steps.put(node.name(), new WorkerStep(in, node, pool, template, templates, recorded, pod, permit));
        }
    }

    /** What is loaded on the node, for its upgrade. */
    public DriverPod driver(String node) {
        WorkerStep step = steps.get(node);
        return step == null ? DriverPod.of(DriverPod.State.CURRENT_READY, "") : step.driver();
    }

    /** The configuration that the node is to have; empty for none. */
    public String wanted(String node) {
        WorkerStep step = steps.get(node);
        return step == null ? "" : step.config();
    }

    /** The pod template by which a node was loaded; empty if it is not known any more. */
    public Optional<Map<String, Object>> former(ObservedNode node) {
        return recorded(node)
                .flatMap(load -> Optional.ofNullable(templates.get(load.config())))
                .map(template -> template.map("template"));
    }

    /** Whether it is the worker pod of the node. */
    public boolean isWorker(String node, String uid) {
        PodFacts pod = pods.get(node);
        return pod != null && pod.uid().equals(uid);
    }

    /**
     * Lets an upgrade replace what is loaded on the node.
     *
     * @param uid of what it replaces, see {@link #driver}
     * @param underUsers whether nothing needs to be unloaded
     * @return the deletion of its worker pod, if it is that one
     */
    public Optional<Write> replace(String node, String uid, boolean underUsers) {
        WorkerStep step = steps.get(node);
        if (step == null || !uid.equals(step.driver().uid())) {
            return Optional.empty();
        }
        PodFacts pod = pods.get(node);
        if (pod != null && pod.uid().equals(uid)) {
            return pod.terminating()
                    ? Optional.empty()
                    : Optional.of(WorkerStep.deletion(pod, step.pool(), "node " + node + " begins anew"));
        }
        steps.put(node, step.with(underUsers ? Permit.RELOAD : Permit.REPLACE));
        return Optional.empty();
    }

    private Optional<NodeLoad> recorded(ObservedNode node) {
        return NodeLoad.parse(node.facts().labels().getOrDefault(label, ""));
    }

    /** How far the node is; null where no worker pods are wanted on it. */
    public @Nullable Outcome outcome(String node) {
        WorkerStep step = steps.get(node);
        return step == null ? null : step.outcome();
    }

    /** Whether the pool's modules come by worker pods. */
    public boolean serves(String pool) {
        return wanted.containsKey(pool);
    }

    /** Whether worker pods have, or had, to do with this node. */
    public boolean concerns(ObservedNode node) {
        return !isIdle() && (steps.containsKey(node.name()) || recorded(node).isPresent());
    }

    /** Adds what a node says of what is loaded there. */
    public void label(ObservedNode node, SortedMap<String, String> labels) {
        WorkerStep step = steps.get(node.name());
        Optional<NodeLoad> load = step == null ? recorded(node).filter(unused -> !isIdle()) : step.recordedAfter();
        load.ifPresent(value -> labels.put(label, value.label()));
    }

    /** The writes on pods: in the order of the nodes. */
    public List<Write> writes() {
        List<Write> writes = new ArrayList<>();
        steps.values().forEach(step -> step.write().ifPresent(writes::add));
        pods.values().stream()
                .filter(pod -> !pod.terminating() && !steps.containsKey(pod.node()) && !isOfUnknown(pod))
                .map(pod -> WorkerStep.deletion(pod, "", "no node of this special resource has it"))
                .filter(write -> in.refusals().allow(write.ref()))
                .forEach(writes::add);
        return writes;
    }

    private boolean isOfUnknown(PodFacts pod) {
        return in.nodes().containsKey(pod.node());
    }

    /** Whether nodes still need the object: it unloads what is loaded there. */
    public boolean needs(KubeObject live) {
        if (WorkerPods.isTemplate(live)) {
            return configs.contains(live.annotation(MetadataKeys.LOAD_CONFIG).orElse(""));
        }
        return isBusy()
                && ACCOUNTS.contains(live.ref().kind())
                && states.contains(live.annotation(MetadataKeys.STATE).orElse(""));
    }

    /** Whether anything is loaded, or a pod is there. */
    public boolean isBusy() {
        return !configs.isEmpty() || !pods.isEmpty();
    }

    /** Nodes from which what is loaded cannot be unloaded. */
    public SortedMap<String, Problem> problems() {
        SortedMap<String, Problem> problems = new TreeMap<>();
        steps.forEach((node, step) -> {
            if (!step.isWanted() && step.outcome() instanceof Outcome.Failed failed) {
                problems.put(node, failed.problem());
            }
        });
        return problems;
    }

    /** When to look again although nothing changes; {@link Instant#MAX} when there is no need to. */
    public Instant wakeUp() {
        return steps.values().stream()
                .map(WorkerStep::retryAt)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** In a teardown: why a node cannot say what is loaded there; nodes in order. */
    public Optional<Problem> conflict(String manager) {
        return steps.values().stream()
                .flatMap(step -> conflict(step, manager).stream())
                .findFirst();
    }

    private Optional<Problem> conflict(WorkerStep step, String manager) {
        Set<String> held = step.node().appliedLabels().getOrDefault(manager, Set.of());
        return step.recordedAfter().flatMap(load -> LabelOwnership.conflict(step.node(), held, label, load.label()));
    }

    /** In a teardown: what nodes are to say, for those of which that changes and nobody else says something else. */
    public List<Write> labelWrites(String manager) {
        List<Write> writes = new ArrayList<>();
        for (WorkerStep step : steps.values()) {
            ObservedNode node = step.node();
            if (!step.recordedAfter().equals(recorded(node))
                    && conflict(step, manager).isEmpty()) {
                SortedMap<String, String> labels = new TreeMap<>();
                for (String held : node.appliedLabels().getOrDefault(manager, Set.of())) {
                    String value = node.facts().labels().get(held);
                    if (value != null && !held.equals(label)) {
                        labels.put(held, value);
                    }
                }
                step.recordedAfter().ifPresent(load -> labels.put(label, load.label()));
                Write write = new Write.LabelNode(node.name(), node.uid(), manager, labels);
                if (in.refusals().allow(write.ref())) {
                    writes.add(write);
                }
            }
        }
        return writes;
    }
}
