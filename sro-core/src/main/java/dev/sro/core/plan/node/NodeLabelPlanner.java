package dev.sro.core.plan.node;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.NodeFields;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.LabelOwnership;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.memo.NodeMemo;
import dev.sro.core.plan.upgrade.UpgradeNodeFields;
import dev.sro.core.plan.upgrade.UpgradePlanner;
import dev.sro.core.plan.validation.NodeRepetitions;
import dev.sro.core.plan.worker.Workers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Plans the labels that a special resource holds on nodes: readiness per state, the kernel where Node Feature Discovery
 * does not write it, and what the plugin asks for. Somebody else's value wins. Lives for one plan.
 */
public final class NodeLabelPlanner {

    private final NodeInput in;
    private final NodeMemo memo;
    private final List<StateReport> reports;
    private final Workers workers;
    private final String resource;
    private final String manager;
    private final ReadyLabels readyLabels;
    private final SortedMap<String, String> staying;
    private final UpgradeNodeFields upgrades;
    private final NodeRepetitions repetitions;
    private final Map<String, Set<String>> provided = new HashMap<>();
    private final Set<String> leaving = new HashSet<>();
    private final SortedMap<String, Problem> conflicts = new TreeMap<>();

    /**
     * @param staying labels that stay on nodes which have them from this special resource
     */
    public NodeLabelPlanner(
            NodeInput in,
            NodeMemo memo,
            List<StateReport> reports,
            Optional<UpgradePlanner> upgrade,
            Workers workers,
            NodeRepetitions repetitions,
            SortedMap<String, String> staying) {
        this.staying = staying;
        this.workers = workers;
        this.repetitions = repetitions;
        this.in = in;
        this.memo = memo;
        this.reports = reports;
        this.resource = in.resource().getMetadata().getName();
        this.manager = MetadataKeys.nodeManager(resource);
        this.upgrades = new UpgradeNodeFields(resource, upgrade);
        this.readyLabels = new ReadyLabels(in);
        for (DesiredState desired : in.states()) {
            State state = desired.state();
            provided.put(
                    state.id(),
                    state.provides().stream()
                            .map(MetadataKeys::capabilityLabel)
                            .collect(Collectors.toUnmodifiableSet()));
            if (state.reach().leavesWithDriver()) {
                leaving.add(state.id());
            }
        }
    }

    /** Nodes whose labels cannot be as they have to, somebody else's above all; complete after {@link #plan()}. */
    public SortedMap<String, Problem> conflicts() {
        return conflicts;
    }

    public List<Write> plan() {
        List<Write> writes = new ArrayList<>();
        for (Pool pool : in.pools()) {
            plan(writes, pool, in.members().getOrDefault(pool.name(), List.of()));
        }
        TaintPlanner taints = new TaintPlanner(in);
        for (ObservedNode stray : in.strays()) {
            SortedMap<String, String> left = new TreeMap<>();
            workers.label(stray, left);
            Set<String> held = stray.appliedLabels().getOrDefault(manager, Set.of());
            in.pluginLabels().getOrDefault(stray.name(), Map.of()).forEach((key, value) -> {
                // What somebody else says of a node that is not served is no concern of this special resource.
                if (LabelOwnership.isFree(stray, held, key, value)) {
                    left.putIfAbsent(key, value);
                }
            });
            stay(stray, held, left);
            if (!left.isEmpty() || !taints.isTainted(stray)) {
                write(writes, stray, new NodeFields(left, new TreeMap<>(), false));
            }
        }
        return writes;
    }

    private NodeFields marks(ObservedNode node, Pool pool) {
        SortedMap<String, String> labels = wanted(node, pool);
        NodeFields upgrade = upgrades.of(node);
        labels.putAll(upgrade.labels());
        SortedMap<String, String> annotations = new TreeMap<>(upgrade.annotations());
        annotations.putAll(repetitions.marks(node, reports, pool));
        return new NodeFields(labels, annotations, upgrade.cordoned());
    }

    /** Passes over the nodes that had all their labels, as long as nothing changed on which these depend. */
    private void plan(List<Write> writes, Pool pool, List<ObservedNode> nodes) {
        NodeMemo.Labelled labelled = memo.labelled(pool.name());
        List<Object> basis =
                new ArrayList<>(List.of(pool.name(), pool.kernelLabel(), upgrades.keys(), workers.isIdle(), staying));
        List<PoolReport> judged = new ArrayList<>();
        for (StateReport report : reports) {
            PoolReport inPool = report.in(pool.name());
            if (report.perNode() && inPool != null) {
                basis.add(report.state());
                judged.add(inPool);
            }
        }
        labelled.begin(basis, judged);
        for (ObservedNode node : nodes) {
            Map<String, String> fromPlugin =
                    in.pluginLabels().isEmpty() ? null : in.pluginLabels().get(node.name());
            if (readyLabels.isEmpty()
                    && !workers.concerns(node)
                    && !upgrades.changes(node)
                    && !repetitions.changes(node)
                    && labelled.isSettled(node, fromPlugin)) {
                continue;
            }
            boolean asWanted = write(writes, node, marks(node, pool));
            labelled.note(node, fromPlugin, asWanted && !conflicts.containsKey(node.name()));
        }
        labelled.retain(nodes);
    }

    private SortedMap<String, String> wanted(ObservedNode node, Pool pool) {
        SortedMap<String, String> wanted = new TreeMap<>();
        Set<String> held = node.appliedLabels().getOrDefault(manager, Set.of());
        if (isOurs(node, MetadataKeys.KERNEL_LABEL) && !isReleasedFirst(node, pool)) {
            wanted.put(MetadataKeys.KERNEL_LABEL, pool.kernelLabel());
        }
        wanted.put(MetadataKeys.poolLabel(resource), pool.name());
        SortedMap<String, Boolean> states = new TreeMap<>();
        SortedMap<String, Boolean> capabilities = new TreeMap<>();
        Optional<String> goesFrom = upgrades.goesFrom(node);
        Optional<String> stays = upgrades.stays(node);
        boolean goes = false;
        for (StateReport report : reports) {
            boolean behind = goes;
            goes |= goesFrom.filter(report.state()::equals).isPresent();
            String label = MetadataKeys.stateLabel(resource, report.state().substring(0, 4));
            boolean away = goes && !stays.equals(Optional.of(report.state()));
            if (behind && away && leaving.contains(report.state())) {
                wanted.put(label, MetadataKeys.STATE_LEAVING);
            } else if (report.perNode() && !away) {
                // Two states with one number share a label, which says that both are ready.
                states.merge(label, isReached(report, node, pool, isReadyBy(node, held, label)), Boolean::logicalAnd);
                for (String brought : provided.getOrDefault(report.state(), Set.of())) {
                    capabilities.merge(
                            brought, isReached(report, node, pool, held.contains(brought)), Boolean::logicalAnd);
                }
            }
        }
        states.forEach((label, reached) -> {
            if (reached) {
                wanted.putIfAbsent(label, MetadataKeys.STATE_READY);
            }
        });
        capabilities.forEach((label, reached) -> {
            if (reached) {
                wanted.put(label, ReadyLabels.READY);
            }
        });
        readyLabels.of(node, pool, held).forEach(label -> wanted.put(label, ReadyLabels.READY));
        workers.label(node, wanted);
        in.pluginLabels().getOrDefault(node.name(), Map.of()).forEach(wanted::putIfAbsent);
        stay(node, held, wanted);
        wanted.entrySet().removeIf(label -> isForeign(node, held, label));
        return wanted;
    }

    private static boolean isReadyBy(ObservedNode node, Set<String> held, String label) {
        return held.contains(label)
                && !MetadataKeys.STATE_LEAVING.equals(node.facts().labels().get(label));
    }

    private void stay(ObservedNode node, Set<String> held, Map<String, String> wanted) {
        staying.forEach((key, value) -> {
            if (held.contains(key) && value.equals(node.facts().labels().get(key))) {
                wanted.putIfAbsent(key, value);
            }
        });
    }

    /** While nothing is known of a node, or it does not answer, its labels stay as they are. */
    private static boolean isReached(StateReport report, ObservedNode node, Pool pool, boolean held) {
        PoolReport inPool = report.in(pool.name());
        Outcome outcome = inPool == null ? null : inPool.nodes().get(node.name());
        if (outcome == null) {
            return held;
        }
        return outcome.isReady() || (held && !node.facts().ready());
    }

    /**
     * A label that two special resources hold can be changed by neither without force. When the kernel changed, each
     * lets go, and the last one, which holds it alone, changes it.
     */
    private boolean isReleasedFirst(ObservedNode node, Pool pool) {
        String actual = node.facts().labels().get(MetadataKeys.KERNEL_LABEL);
        return actual != null
                && !actual.equals(pool.kernelLabel())
                && node.appliedLabels().entrySet().stream()
                        .anyMatch(other -> !other.getKey().equals(manager)
                                && other.getValue().contains(MetadataKeys.KERNEL_LABEL));
    }

    /** Absent, or held by a special resource: Node Feature Discovery does not write it. */
    private static boolean isOurs(ObservedNode node, String label) {
        return !node.facts().labels().containsKey(label)
                || node.appliedLabels().values().stream().anyMatch(labels -> labels.contains(label));
    }

    private boolean isForeign(ObservedNode node, Set<String> held, Map.Entry<String, String> label) {
        Optional<Problem> conflict = LabelOwnership.conflict(node, held, label.getKey(), label.getValue());
        conflict.ifPresent(problem -> conflicts.put(node.name(), problem));
        return conflict.isPresent();
    }

    /** Returns whether the node has these marks already. */
    private boolean write(List<Write> writes, ObservedNode node, NodeFields wanted) {
        boolean asWanted = node.holds().cordoning().contains(manager) == wanted.cordoned()
                && isHeld(node.appliedLabels(), node.facts().labels(), wanted.labels())
                && isHeld(node.holds().applied(), node.holds().annotations(), wanted.annotations());
        ObjectRef ref = new ObjectRef("v1", "Node", "", node.name());
        if (!asWanted) {
            in.refusals().problem(ref).ifPresent(problem -> conflicts.putIfAbsent(node.name(), problem));
        }
        if (!asWanted && in.refusals().allow(ref)) {
            Write first = upgrades.edited(node, wanted).orElse(null);
            writes.add(first != null ? first : new Write.LabelNode(node.name(), node.uid(), manager, wanted));
        }
        return asWanted;
    }

    private boolean isHeld(
            Map<String, Set<String>> applied, Map<String, String> actual, SortedMap<String, String> wanted) {
        return applied.getOrDefault(manager, Set.of()).equals(wanted.keySet())
                && wanted.entrySet().stream().allMatch(mark -> mark.getValue().equals(actual.get(mark.getKey())));
    }
}
