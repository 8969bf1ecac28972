package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.Marks;
import dev.sro.core.pool.ReadinessTaints;
import dev.sro.core.pool.ReadinessTaints.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Plans the readiness taint: on each node until the special resource is ready there, and away again. Which taints it may take away
 * is on record in the status before the first of them is put on a node, and a node keeps the special resource's labels until the
 * taint is gone; so nothing is forgotten, and no taint of anybody else is touched. Lives for one plan.
 */
final class TaintPlanner {

    /** Nodes may come with it. Put on one later it would drive off pods that use the device, because something else started anew. */
    private static final String NO_EXECUTE = ":NoExecute";

    private final PlanInput in;
    private final String manager;
    private final List<String> recorded;

    TaintPlanner(PlanInput in) {
        this.in = in;
        this.manager = Marks.nodeManager(in.resource().getMetadata().getName());
        SpecialResourceStatus status = in.resource().getStatus();
        this.recorded = status == null ? List.of() : status.getReadinessTaints();
    }

    /** Taints that are, or are about to be, on nodes: for the status. */
    List<String> record() {
        Set<String> all = new TreeSet<>();
        in.readinessTaint().map(Wanted::text).ifPresent(all::add);
        for (String taint : recorded) {
            if (!isWanted(taint) && anybody(taint)) {
                all.add(taint);
            }
        }
        return List.copyOf(all);
    }

    private boolean anybody(String taint) {
        return in.nodes().values().stream().anyMatch(node -> carries(node, taint))
                || in.strays().stream().anyMatch(node -> carries(node, taint));
    }

    /** Whether the node carries one of ours: its labels have to stay until it is gone. */
    boolean isTainted(ObservedNode node) {
        return recorded.stream().anyMatch(taint -> carries(node, taint));
    }

    private boolean isWanted(String taint) {
        return in.readinessTaint()
                .filter(wanted -> ReadinessTaints.isSame(wanted.text(), taint))
                .isPresent();
    }

    private static boolean carries(ObservedNode node, String taint) {
        return node.facts().taints().stream().anyMatch(each -> ReadinessTaints.isSame(each, taint));
    }

    /** While a special resource converges. */
    List<Write> plan(List<StateReport> reports) {
        List<Write> writes = new ArrayList<>();
        for (Pool pool : in.pools()) {
            for (String name : pool.nodes()) {
                ObservedNode node = in.nodes().get(name);
                if (node != null) {
                    left(writes, node, false);
                    current(writes, node, pool, reports);
                }
            }
        }
        in.strays().forEach(node -> left(writes, node, true));
        return writes;
    }

    /** When everything goes: also from nodes that are not served any more. */
    List<Write> release() {
        List<Write> writes = new ArrayList<>();
        in.nodes().values().forEach(node -> left(writes, node, true));
        in.strays().forEach(node -> left(writes, node, true));
        return writes;
    }

    private void left(List<Write> writes, ObservedNode node, boolean all) {
        for (String taint : recorded) {
            if ((all || !isWanted(taint)) && carries(node, taint)) {
                write(writes, node, taint, false);
            }
        }
    }

    private void current(List<Write> writes, ObservedNode node, Pool pool, List<StateReport> reports) {
        Optional<Wanted> wanted = in.readinessTaint();
        if (wanted.isEmpty() || !recorded.contains(wanted.get().text())) {
            return;
        }
        String taint = wanted.get().text();
        boolean has = carries(node, taint);
        Optional<Boolean> ready = isReady(wanted.get(), node, pool, reports);
        if (has && ready.orElse(false)) {
            write(writes, node, taint, false);
        } else if (!has
                && !ready.orElse(true)
                && node.appliedLabels().containsKey(manager)
                && !taint.endsWith(NO_EXECUTE)) {
            write(writes, node, taint, true);
        }
    }

    /** Empty where it cannot be told: the node does not answer, or something is not seen. */
    private Optional<Boolean> isReady(Wanted wanted, ObservedNode node, Pool pool, List<StateReport> reports) {
        if (!node.facts().ready() || !in.unseenKinds().isEmpty() || reports.isEmpty()) {
            return Optional.empty();
        }
        boolean ready = true;
        for (StateReport report : reports) {
            if (wanted.state().isPresent() && !wanted.state().get().equals(report.state())) {
                continue;
            }
            PoolReport inPool =
                    report.pools().get(report.pools().containsKey(pool.name()) ? pool.name() : StatePlanner.NO_POOL);
            Outcome outcome = inPool == null
                    ? null
                    : report.perNode() && !inPool.nodes().isEmpty()
                            ? inPool.nodes().get(node.name())
                            : inPool.outcome();
            if (outcome == null) {
                return Optional.empty();
            }
            ready &= outcome.isReady();
        }
        return Optional.of(ready);
    }

    private void write(List<Write> writes, ObservedNode node, String taint, boolean present) {
        Write.TaintNode write = new Write.TaintNode(node.name(), node.uid(), taint, present);
        WriteFailure failure = in.failures().get(write.ref());
        if (failure == null || !in.now().isBefore(failure.retryAt())) {
            writes.add(write);
        }
    }
}
