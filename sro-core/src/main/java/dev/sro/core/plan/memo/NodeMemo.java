package dev.sro.core.plan.memo;

import dev.sro.api.Outcome;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateReport;
import dev.sro.core.probe.PodFacts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Remembers on which nodes a state was ready and which nodes had the labels that they need, so that a plan looks at the nodes
 * that changed and at those that are not ready, and passes over the others. Anything but Ready has a time in it and is never
 * remembered. It changes the cost of a plan, never its result. Thread-safe for different pools.
 */
// Identity is the point: caches hand out the same object until it changes.
@SuppressWarnings("ReferenceEquality")
public final class NodeMemo {

    /** A state in a pool. */
    private record Key(String state, String pool) {}

    /**
     * What, apart from the nodes, decides whether a node is ready.
     *
     * @param settings compared by their content
     * @param pods of each DaemonSet, compared by identity
     */
    public record Basis(List<Object> settings, List<List<PodFacts>> pods) {}

    /** @param unready places in the list of nodes */
    private record Judged(Basis basis, List<ObservedNode> nodes, SortedMap<String, Outcome> outcomes, BitSet unready) {}

    private record Reported(SortedMap<String, Outcome> nodes, PoolReport report) {}

    private final ConcurrentHashMap<Key, Judged> judged = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Key, Reported> reported = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Labelled> labelled = new ConcurrentHashMap<>();

    /**
     * The outcome on each node: from memory where nothing changed since it was Ready, and judged otherwise.
     *
     * @param basis empty where an outcome depends on more than can be compared
     */
    public SortedMap<String, Outcome> outcomes(
            String state,
            String pool,
            Optional<Basis> basis,
            List<ObservedNode> nodes,
            Function<List<ObservedNode>, SortedMap<String, Outcome>> judge) {
        Key key = new Key(state, pool);
        if (basis.isEmpty()) {
            judged.remove(key);
            return judge.apply(nodes);
        }
        Judged before = judged.get(key);
        SortedMap<String, Outcome> outcomes = before == null || !before.basis.settings.equals(basis.get().settings)
                ? judge.apply(nodes)
                : update(before, basis.get(), nodes, judge);
        BitSet unready = before != null && before.outcomes == outcomes ? before.unready : unready(nodes, outcomes);
        judged.put(key, new Judged(basis.get(), nodes, outcomes, unready));
        return outcomes;
    }

    private static BitSet unready(List<ObservedNode> nodes, SortedMap<String, Outcome> outcomes) {
        BitSet unready = new BitSet();
        if (outcomes.values().stream().allMatch(Outcome::isReady) && outcomes.size() == nodes.size()) {
            return unready;
        }
        for (int i = 0; i < nodes.size(); i++) {
            Outcome outcome = outcomes.get(nodes.get(i).name());
            if (outcome == null || !outcome.isReady()) {
                unready.set(i);
            }
        }
        return unready;
    }

    private static SortedMap<String, Outcome> update(
            Judged before,
            Basis basis,
            List<ObservedNode> nodes,
            Function<List<ObservedNode>, SortedMap<String, Outcome>> judge) {
        Set<String> moved = moved(before.basis.pods, basis.pods);
        List<ObservedNode> again = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        int old = 0;
        for (ObservedNode node : nodes) {
            // Both lists are sorted by name; in any other order more would be judged, and none less.
            while (old < before.nodes.size()
                    && before.nodes.get(old) != node
                    && before.nodes.get(old).name().compareTo(node.name()) < 0) {
                gone.add(before.nodes.get(old).name());
                old++;
            }
            boolean same = old < before.nodes.size() && before.nodes.get(old) == node;
            boolean settled = same && !before.unready.get(old);
            boolean there = same
                    || (old < before.nodes.size()
                            && before.nodes.get(old).name().equals(node.name()));
            old += there ? 1 : 0;
            if (!settled || (!moved.isEmpty() && moved.contains(node.name()))) {
                again.add(node);
            }
        }
        before.nodes.subList(old, before.nodes.size()).forEach(node -> gone.add(node.name()));
        if (again.isEmpty() && gone.isEmpty()) {
            return before.outcomes;
        }
        SortedMap<String, Outcome> fresh = judge.apply(again);
        if (gone.isEmpty()
                && nodes.size() == before.nodes.size()
                && fresh.size() == again.size()
                && fresh.entrySet().stream()
                        .allMatch(node -> node.getValue().equals(before.outcomes.get(node.getKey())))) {
            // Most changes of nodes are none of a state's business.
            return before.outcomes;
        }
        SortedMap<String, Outcome> outcomes = new TreeMap<>(before.outcomes);
        gone.forEach(outcomes::remove);
        outcomes.putAll(fresh);
        return outcomes;
    }

    /** Names of the nodes with a pod that is new, gone or different. */
    private static Set<String> moved(List<List<PodFacts>> before, List<List<PodFacts>> now) {
        Set<String> nodes = new HashSet<>();
        for (int i = 0; i < now.size(); i++) {
            if (before.get(i) == now.get(i)) {
                continue;
            }
            Set<PodFacts> known = Collections.newSetFromMap(new IdentityHashMap<>());
            known.addAll(before.get(i));
            for (PodFacts pod : now.get(i)) {
                if (!known.remove(pod)) {
                    nodes.add(pod.node());
                }
            }
            known.forEach(pod -> nodes.add(pod.node()));
        }
        return nodes;
    }

    /** Whether these are the last outcomes of the state, and all are Ready. */
    public boolean isAllReady(String state, String pool, SortedMap<String, Outcome> outcomes) {
        Judged last = judged.get(new Key(state, pool));
        return last != null && last.outcomes == outcomes && last.unready.isEmpty();
    }

    /** The very same report as last time if nothing in it changed. */
    public PoolReport report(String state, String pool, Outcome outcome, SortedMap<String, Outcome> nodes) {
        Key key = new Key(state, pool);
        Reported last = reported.get(key);
        if (last != null && last.nodes == nodes && last.report.outcome().equals(outcome)) {
            return last.report;
        }
        PoolReport report = new PoolReport(outcome, nodes);
        reported.put(key, new Reported(nodes, report));
        return report;
    }

    /** Which nodes of a pool had all labels that they need. Lives from plan to plan; for one of them at a time. */
    public Labelled labelled(String pool) {
        return labelled.computeIfAbsent(pool, unused -> new Labelled());
    }

    /** Forgets other states than these, by id, and other pools, by name. */
    public void retain(Set<String> states, Set<String> pools) {
        judged.keySet().removeIf(key -> !states.contains(key.state) || !isKept(key.pool, pools));
        reported.keySet().removeIf(key -> !states.contains(key.state) || !isKept(key.pool, pools));
        labelled.keySet().removeIf(pool -> !pools.contains(pool));
    }

    private static boolean isKept(String pool, Set<String> pools) {
        return pool.equals(StateReport.NO_POOL) || pools.contains(pool);
    }

    /** The nodes of one pool that had their labels, as long as nothing changes on which these depend. */
    public static final class Labelled {

        private record Settled(ObservedNode node, @Nullable Map<String, String> pluginLabels) {}

        private final Map<String, Settled> settled = new HashMap<>();
        private List<Object> basis = List.of();
        private List<PoolReport> reports = List.of();

        /**
         * Begins a plan: forgets the nodes for which a state is ready that was not, or the other way round.
         *
         * @param newBasis what is common to all nodes, compared by its content
         * @param newReports of the states that nodes have labels for, in their order
         */
        public void begin(List<Object> newBasis, List<PoolReport> newReports) {
            if (!newBasis.equals(basis) || newReports.size() != reports.size()) {
                settled.clear();
            } else {
                for (int i = 0; i < newReports.size(); i++) {
                    if (newReports.get(i) != reports.get(i)) {
                        forget(reports.get(i).nodes(), newReports.get(i).nodes());
                    }
                }
            }
            basis = newBasis;
            reports = newReports;
        }

        /** What is in only one of them, or ready in only one of them. */
        private void forget(SortedMap<String, Outcome> before, SortedMap<String, Outcome> now) {
            Iterator<Map.Entry<String, Outcome>> old = before.entrySet().iterator();
            Iterator<Map.Entry<String, Outcome>> fresh = now.entrySet().iterator();
            boolean same = before.size() == now.size();
            while (same && old.hasNext() && fresh.hasNext()) {
                Map.Entry<String, Outcome> left = old.next();
                Map.Entry<String, Outcome> right = fresh.next();
                same = left.getKey().equals(right.getKey());
                if (left.getValue().isReady() != right.getValue().isReady()) {
                    settled.remove(left.getKey());
                    settled.remove(right.getKey());
                }
            }
            if (!same) {
                // Nodes came or went, and the two do not go side by side any more.
                settled.keySet().removeIf(node -> {
                    Outcome left = before.get(node);
                    Outcome right = now.get(node);
                    return left == null || right == null || left.isReady() != right.isReady();
                });
            }
        }

        /** Whether this very node had all labels that it needs, and nothing changed since. */
        public boolean isSettled(ObservedNode node, @Nullable Map<String, String> pluginLabels) {
            Settled known = settled.get(node.name());
            return known != null && known.node == node && known.pluginLabels == pluginLabels;
        }

        /** Notes whether the node has all labels that it needs. */
        public void note(ObservedNode node, @Nullable Map<String, String> pluginLabels, boolean complete) {
            if (complete) {
                settled.put(node.name(), new Settled(node, pluginLabels));
            } else {
                settled.remove(node.name());
            }
        }

        /** Forgets nodes that left the pool, when there may be any. */
        public void retain(List<ObservedNode> nodes) {
            if (settled.size() > nodes.size()) {
                Set<String> names = new HashSet<>();
                nodes.forEach(node -> names.add(node.name()));
                settled.keySet().retainAll(names);
            }
        }
    }
}
