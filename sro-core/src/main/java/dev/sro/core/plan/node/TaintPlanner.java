package dev.sro.core.plan.node;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.partition.NodeTaints;
import dev.sro.core.partition.TaintChange;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Write;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.pool.ReadinessTaints.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Plans the taints of nodes: the readiness taint, on each node until the special resource is ready there, and away again; and those of
 * partitioning, on each node that is served. Which taints there may be is on record in the status before the first of them is put on a
 * node, and a node keeps the special resource's labels until they are gone; so nothing is forgotten, and no taint of anybody else is
 * touched. Of partitioning each node itself says which taints were put there, as others may have the same key. All changes of a node
 * are one write. Lives for one plan.
 */
public final class TaintPlanner {

    /** Nodes may come with it. Put on one later it would drive off pods that use the device, because something else started anew. */
    private static final String NO_EXECUTE = ":NoExecute";

    private final NodeInput in;
    private final String manager;
    private final String annotation;
    private final List<String> recorded;
    private final List<String> partitions;
    private final SortedMap<String, Problem> conflicts = new TreeMap<>();

    public TaintPlanner(NodeInput in) {
        this.in = in;
        String name = in.resource().getMetadata().getName();
        this.manager = MetadataKeys.nodeManager(name);
        this.annotation = MetadataKeys.taintsAnnotation(name);
        SpecialResourceStatus status = in.resource().getStatus();
        this.recorded = status == null
                ? List.of()
                : status.getReadinessTaints().stream()
                        .filter(taint -> in.foreignTaints().stream()
                                .noneMatch(foreign -> ReadinessTaints.isSame(foreign, taint)))
                        .toList();
        this.partitions = status == null ? List.of() : status.getPartitionTaints();
    }

    /** Readiness taints that are, or are about to be, on nodes: for the status. */
    public List<String> record() {
        Set<String> all = new TreeSet<>();
        in.readinessTaint().map(Wanted::text).ifPresent(all::add);
        for (String taint : recorded) {
            if (!isWanted(taint) && anybody(node -> carries(node, taint))) {
                all.add(taint);
            }
        }
        return List.copyOf(all);
    }

    /** Taints of partitioning that are, or are about to be, on nodes: for the status. */
    public List<String> partitionRecord() {
        Set<String> all = new TreeSet<>(in.partitionTaints());
        for (String taint : partitions) {
            if (!all.contains(taint) && anybody(node -> shared(node).recorded().contains(taint))) {
                all.add(taint);
            }
        }
        return List.copyOf(all);
    }

    private boolean anybody(Predicate<ObservedNode> test) {
        return in.nodes().values().stream().anyMatch(test)
                || in.strays().stream().anyMatch(test);
    }

    /** Whether the node carries one of ours: its labels have to stay until it is gone. */
    public boolean isTainted(ObservedNode node) {
        return recorded.stream().anyMatch(taint -> carries(node, taint))
                || node.holds().annotations().containsKey(annotation);
    }

    /** Whether any node carries one of ours. */
    public boolean isAnyTainted() {
        return anybody(this::isTainted);
    }

    /** Nodes on which somebody else has a taint in the place of one of ours; complete after {@link #plan}. */
    public SortedMap<String, Problem> conflicts() {
        return conflicts;
    }

    private boolean isWanted(String taint) {
        return in.readinessTaint()
                .filter(wanted -> ReadinessTaints.isSame(wanted.text(), taint))
                .isPresent();
    }

    private static boolean carries(ObservedNode node, String taint) {
        return node.facts().taints().stream().anyMatch(each -> ReadinessTaints.isSame(each, taint));
    }

    private NodeTaints shared(ObservedNode node) {
        return new NodeTaints(
                node.facts().taints(),
                NodeTaints.parse(node.holds().annotations().getOrDefault(annotation, "")));
    }

    /** While a special resource converges. */
    public List<Write> plan(List<StateReport> reports) {
        List<Write> writes = new ArrayList<>();
        if (recorded.isEmpty()
                && partitions.isEmpty()
                && !anybody(node -> node.holds().annotations().containsKey(annotation))) {
            // Before it is on record no taint is put anywhere, and there is none to take away.
            return writes;
        }
        for (Pool pool : in.pools()) {
            for (String name : pool.nodes()) {
                ObservedNode node = in.nodes().get(name);
                if (node != null) {
                    TaintChange change = current(left(TaintChange.NONE, node, false), node, pool, reports);
                    write(writes, node, share(change, node, pool, reports));
                }
            }
        }
        in.strays().forEach(node -> write(writes, node, released(node)));
        return writes;
    }

    /** When everything goes: also from nodes that are not served any more. */
    public List<Write> release() {
        List<Write> writes = new ArrayList<>();
        in.nodes().values().forEach(node -> write(writes, node, released(node)));
        in.strays().forEach(node -> write(writes, node, released(node)));
        return writes;
    }

    private TaintChange released(ObservedNode node) {
        TaintChange change = left(TaintChange.NONE, node, true);
        return node.holds().annotations().containsKey(annotation)
                ? change.and(new TaintChange.Share(annotation, List.of()))
                : change;
    }

    private TaintChange left(TaintChange change, ObservedNode node, boolean all) {
        TaintChange result = change;
        for (String taint : recorded) {
            if ((all || !isWanted(taint)) && carries(node, taint)) {
                result = result.and(taint, false);
            }
        }
        return result;
    }

    private TaintChange current(TaintChange change, ObservedNode node, Pool pool, List<StateReport> reports) {
        Optional<Wanted> wanted = in.readinessTaint();
        if (wanted.isEmpty() || !recorded.contains(wanted.get().text())) {
            return change;
        }
        String taint = wanted.get().text();
        boolean has = carries(node, taint);
        Optional<Boolean> ready = isReady(wanted.get().state(), node, pool, reports);
        if (has && ready.orElse(false)) {
            return change.and(taint, false);
        }
        boolean comes =
                !has && !ready.orElse(true) && node.appliedLabels().containsKey(manager) && !taint.endsWith(NO_EXECUTE);
        return comes ? change.and(taint, true) : change;
    }

    private TaintChange share(TaintChange change, ObservedNode node, Pool pool, List<StateReport> reports) {
        if (in.partitionTaints().isEmpty() && partitions.isEmpty()) {
            return change;
        }
        NodeTaints live = shared(node);
        List<String> wanted = new ArrayList<>();
        for (String taint : in.partitionTaints()) {
            // Pods that were made before everything tolerated it would be driven off, drivers among them.
            boolean early = taint.endsWith(NO_EXECUTE)
                    && !live.recorded().contains(taint)
                    && !isReady(Optional.empty(), node, pool, reports).orElse(false);
            if (partitions.contains(taint) && !early) {
                wanted.add(taint);
            }
        }
        List<String> foreign = live.contradicting(wanted);
        if (!foreign.isEmpty()) {
            conflicts.put(
                    node.name(),
                    Problem.user(
                            "NodeTaintConflict",
                            "node " + node.name() + ": taint " + foreign.get(0) + " is not SRO's and stays, where"
                                    + " spec.partitioning wants another"
                                    + " value; remove it from the node, or"
                                    + " use its value in"
                                    + " spec.partitioning"));
        }
        return live.sharing(wanted).equals(live) ? change : change.and(new TaintChange.Share(annotation, wanted));
    }

    /** Empty where it cannot be told: the node does not answer, or something is not seen. */
    private Optional<Boolean> isReady(Optional<String> state, ObservedNode node, Pool pool, List<StateReport> reports) {
        if (!node.facts().ready() || !in.unseenKinds().isEmpty() || reports.isEmpty()) {
            return Optional.empty();
        }
        boolean ready = true;
        for (StateReport report : reports) {
            if (state.isPresent() && !state.get().equals(report.state())) {
                continue;
            }
            Outcome outcome = report.on(pool.name(), node.name());
            if (outcome == null) {
                return Optional.empty();
            }
            ready &= outcome.isReady();
        }
        return Optional.of(ready);
    }

    private void write(List<Write> writes, ObservedNode node, TaintChange change) {
        if (change.isEmpty()) {
            return;
        }
        Write.TaintNode write = new Write.TaintNode(node.name(), node.uid(), change);
        if (in.refusals().allow(write.ref())) {
            writes.add(write);
        }
    }
}
