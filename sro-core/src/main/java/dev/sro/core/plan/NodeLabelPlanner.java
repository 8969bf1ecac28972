package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Plans the labels that a special resource holds on nodes: readiness per state, the kernel where Node Feature Discovery
 * does not write it, and what the plugin asks for. Somebody else's value wins. Lives for one plan.
 */
final class NodeLabelPlanner {

    private static final String READY = "Ready";

    private final PlanInput in;
    private final List<StateReport> reports;
    private final String resource;
    private final String manager;
    private final SortedMap<String, Problem> conflicts = new TreeMap<>();

    NodeLabelPlanner(PlanInput in, List<StateReport> reports) {
        this.in = in;
        this.reports = reports;
        this.resource = in.resource().getMetadata().getName();
        this.manager = Marks.nodeManager(resource);
    }

    /** Nodes on which somebody else holds a label that we need; complete after {@link #plan()}. */
    SortedMap<String, Problem> conflicts() {
        return conflicts;
    }

    List<Write> plan() {
        List<Write> writes = new ArrayList<>();
        for (Pool pool : in.pools()) {
            Map<String, List<StateReport>> readyOn = new HashMap<>();
            for (StateReport report : reports) {
                PoolReport inPool = report.pools().get(pool.name());
                if (report.perNode() && inPool != null) {
                    inPool.nodes().forEach((node, outcome) -> {
                        if (outcome.isReady()) {
                            readyOn.computeIfAbsent(node, unused -> new ArrayList<>())
                                    .add(report);
                        }
                    });
                }
            }
            for (String name : pool.nodes()) {
                ObservedNode node = in.nodes().get(name);
                if (node != null) {
                    write(writes, node, wanted(node, pool, readyOn.getOrDefault(name, List.of())));
                }
            }
        }
        in.strays().forEach(node -> write(writes, node, new TreeMap<>()));
        return writes;
    }

    private SortedMap<String, String> wanted(ObservedNode node, Pool pool, List<StateReport> ready) {
        SortedMap<String, String> wanted = new TreeMap<>();
        Set<String> held = node.appliedLabels().getOrDefault(manager, Set.of());
        if (isOurs(node, Marks.KERNEL_LABEL)) {
            wanted.put(Marks.KERNEL_LABEL, pool.kernelLabel());
        }
        if (!pool.key().isEmpty()) {
            wanted.put(Marks.poolLabel(resource), pool.name());
        }
        for (StateReport report : reports) {
            if (!report.perNode()) {
                continue;
            }
            String label = Marks.stateLabel(resource, report.state().substring(0, 4));
            // What is not known does not change: of a node that does not answer, or while a cache fills.
            boolean unknown = !node.facts().ready() || isUnseen(report, pool);
            if (ready.contains(report) || (unknown && held.contains(label))) {
                wanted.put(label, READY);
            }
        }
        in.pluginLabels().getOrDefault(node.name(), Map.of()).forEach(wanted::putIfAbsent);
        wanted.entrySet().removeIf(label -> isForeign(node, held, label));
        return wanted;
    }

    private boolean isUnseen(StateReport report, Pool pool) {
        PoolReport inPool = report.pools().get(pool.name());
        return !in.unseenKinds().isEmpty() && (inPool == null || inPool.nodes().isEmpty());
    }

    /** Absent, or held by a special resource: Node Feature Discovery does not write it. */
    private static boolean isOurs(ObservedNode node, String label) {
        return !node.facts().labels().containsKey(label)
                || node.appliedLabels().values().stream().anyMatch(labels -> labels.contains(label));
    }

    private boolean isForeign(ObservedNode node, Set<String> held, Map.Entry<String, String> label) {
        String actual = node.facts().labels().get(label.getKey());
        boolean sharedKernel = label.getKey().equals(Marks.KERNEL_LABEL);
        if (actual == null || actual.equals(label.getValue()) || held.contains(label.getKey()) || sharedKernel) {
            return false;
        }
        conflicts.put(
                node.name(),
                Problem.user(
                        "NodeLabelConflict",
                        "node " + node.name() + ": label " + label.getKey() + " is \"" + actual + "\" and not ours;"
                                + " \"" + label.getValue() + "\" is needed; remove the label to let SRO set it"));
        return true;
    }

    private void write(List<Write> writes, ObservedNode node, SortedMap<String, String> wanted) {
        Set<String> held = node.appliedLabels().getOrDefault(manager, Set.of());
        boolean asWanted = held.equals(wanted.keySet())
                && wanted.entrySet().stream()
                        .allMatch(label ->
                                label.getValue().equals(node.facts().labels().get(label.getKey())));
        WriteFailure failure = in.failures().get(new ObjectRef("v1", "Node", "", node.name()));
        if (!asWanted && (failure == null || !in.now().isBefore(failure.retryAt()))) {
            writes.add(new Write.LabelNode(node.name(), node.uid(), manager, wanted));
        }
    }

    /** Whether every state that is reached node by node is ready on the node. */
    static boolean isReady(List<StateReport> reports, String pool, String node) {
        for (StateReport report : reports) {
            PoolReport inPool = report.pools().get(report.pools().containsKey(pool) ? pool : StatePlanner.NO_POOL);
            if (inPool == null) {
                return false;
            }
            Outcome outcome = report.perNode() && !inPool.nodes().isEmpty()
                    ? inPool.nodes().get(node)
                    : inPool.outcome();
            if (outcome == null || !outcome.isReady()) {
                return false;
            }
        }
        return !reports.isEmpty();
    }
}
