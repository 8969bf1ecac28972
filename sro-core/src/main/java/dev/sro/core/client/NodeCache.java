package dev.sro.core.client;

import dev.sro.api.NodeFacts;
import dev.sro.core.facts.NodeFeatures;
import dev.sro.core.facts.NodeHolds;
import dev.sro.core.facts.NodeProjector;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.Marks;
import dev.sro.core.model.NodeMarks;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.partition.NodeTaints;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/** Projections of all nodes, ahead of the watch by what we wrote ourselves. Thread-safe. */
final class NodeCache {

    /** Allocatable amounts that differ a little each time the kubelet measures them. */
    private static final List<String> MEASURED = List.of("memory", "ephemeral-storage");

    /** Marks that we wrote and that the watch has not shown yet. */
    private record Pending(String resourceVersion, Map<String, NodeMarks> byManager) {}

    /** Sorted, so that what is made of it need not be. */
    private final ConcurrentSkipListMap<String, ObservedNode> nodes = new ConcurrentSkipListMap<>();

    private final FeatureCache features = new FeatureCache();
    private final Interner interner;
    private final Map<String, Pending> pending = new HashMap<>();

    /** The node before and after; empty where there was or is none. */
    record Change(Optional<ObservedNode> before, Optional<ObservedNode> after) {
        /** Whether anything changed that may be a reason to act: more than amounts that a kubelet measures anew. */
        boolean isReal() {
            if (before.isEmpty() || after.isEmpty()) {
                return before.isPresent() || after.isPresent();
            }
            ObservedNode old = before.get();
            ObservedNode now = after.get();
            return !old.equals(now) && (old.facts().equals(now.facts()) || !old.equals(asMeasuredBefore(now, old)));
        }

        private static ObservedNode asMeasuredBefore(ObservedNode node, ObservedNode old) {
            Map<String, String> amounts = new HashMap<>(node.facts().allocatable());
            for (String measured : MEASURED) {
                amounts.computeIfPresent(
                        measured, (name, now) -> old.facts().allocatable().getOrDefault(name, now));
            }
            NodeFacts facts =
                    NodeFacts.builder().from(node.facts()).allocatable(amounts).build();
            return node.with(facts);
        }
    }

    NodeCache(Interner interner) {
        this.interner = interner;
    }

    private void keep(String name, ObservedNode node) {
        nodes.put(name, interner.node(node));
    }

    Collection<ObservedNode> all() {
        return nodes.values();
    }

    synchronized Change seen(Node node) {
        String name = node.getMetadata().getName();
        Pending ours = pending.get(name);
        if (ours != null && !Versions.isOlder(node.getMetadata().getResourceVersion(), ours.resourceVersion)) {
            pending.remove(name);
            ours = null;
        }
        Optional<ObservedNode> projected = NodeProjector.project(node).map(known -> featured(known, features.of(name)));
        Optional<ObservedNode> after = projected;
        if (ours != null && projected.isPresent()) {
            ObservedNode ahead = projected.get();
            for (Map.Entry<String, NodeMarks> entry : ours.byManager.entrySet()) {
                ahead = with(ahead, entry.getKey(), entry.getValue());
            }
            after = Optional.of(ahead);
        }
        Optional<ObservedNode> before = Optional.ofNullable(nodes.get(name));
        if (after.isEmpty()) {
            nodes.remove(name);
        } else if (!before.equals(after)) {
            // An equal node stays the same object: plans pass over it.
            keep(name, after.get());
        }
        return new Change(before, after);
    }

    /** What is known of a node beside its labels changed. */
    synchronized Change featuresSeen(String object, NodeFeatures seen) {
        features.seen(object, seen);
        return featured(seen.node());
    }

    synchronized Change featuresGone(String object) {
        return featured(features.gone(object));
    }

    private Change featured(String name) {
        ObservedNode before = nodes.get(name);
        if (before == null) {
            return new Change(Optional.empty(), Optional.empty());
        }
        ObservedNode after = featured(before, features.of(name));
        keep(name, after);
        return new Change(Optional.of(before), Optional.of(after));
    }

    private static ObservedNode featured(ObservedNode node, Map<String, String> features) {
        if (node.facts().features().equals(features)) {
            return node;
        }
        NodeFacts facts =
                NodeFacts.builder().from(node.facts()).features(features).build();
        return node.with(facts);
    }

    synchronized Change gone(String name) {
        pending.remove(name);
        return new Change(Optional.ofNullable(nodes.remove(name)), Optional.empty());
    }

    /** Returns whether capabilities came or went, for which others may wait. */
    synchronized boolean labelled(String name, String manager, NodeMarks marks, String resourceVersion) {
        ObservedNode node = nodes.get(name);
        if (node == null) {
            return false;
        }
        Set<String> before = capabilities(node.appliedLabels().getOrDefault(manager, Set.of()));
        Pending earlier = pending.get(name);
        Map<String, NodeMarks> byManager = earlier == null ? new HashMap<>() : new HashMap<>(earlier.byManager);
        byManager.put(manager, marks);
        pending.put(name, new Pending(resourceVersion, byManager));
        keep(name, with(node, manager, marks));
        return !before.equals(capabilities(marks.labels().keySet()));
    }

    private static Set<String> capabilities(Set<String> labels) {
        return labels.stream()
                .filter(label -> label.startsWith(Marks.CAPABILITY_LABEL_PREFIX))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Known before the watch tells. An event that is older undoes it until the next: then the same is written once more, to no effect. */
    synchronized void tainted(String name, NodeTaints taints, Optional<String> annotation) {
        nodes.computeIfPresent(
                name,
                (unused, node) -> new ObservedNode(
                        NodeFacts.builder()
                                .from(node.facts())
                                .taints(taints.taints())
                                .build(),
                        node.uid(),
                        node.appliedLabels(),
                        node.coOwnedLabels(),
                        annotation
                                .map(key -> node.holds().recording(key, taints.text()))
                                .orElse(node.holds())));
    }

    /** As {@link #tainted}. */
    synchronized void judged(String name, String manager, SortedMap<String, NodeVerdict> verdicts) {
        nodes.computeIfPresent(
                name,
                (unused, node) -> new ObservedNode(
                        node.facts(),
                        node.uid(),
                        node.appliedLabels(),
                        node.coOwnedLabels(),
                        node.holds().judged(manager, verdicts)));
    }

    /** Until the watch says so itself, which may bring them back for a moment: then they are cleared again. */
    synchronized void cleared(String name, Set<String> labels, Set<String> annotations) {
        ObservedNode node = nodes.get(name);
        if (node == null) {
            return;
        }
        Map<String, String> left = new TreeMap<>(node.facts().labels());
        left.keySet().removeAll(labels);
        Map<String, Set<String>> applied = new HashMap<>();
        node.appliedLabels().forEach((manager, keys) -> {
            Set<String> still = new HashSet<>(keys);
            still.removeAll(labels);
            if (!still.isEmpty()) {
                applied.put(manager, still);
            }
        });
        Set<String> shared = new HashSet<>(node.coOwnedLabels());
        shared.removeAll(labels);
        NodeFacts facts = NodeFacts.builder().from(node.facts()).labels(left).build();
        nodes.put(
                name,
                new ObservedNode(
                        facts, node.uid(), applied, shared, node.holds().without(annotations)));
    }

    /** The node as it is when this manager holds exactly this. */
    static ObservedNode with(ObservedNode node, String manager, NodeMarks marks) {
        Map<String, String> labels = marks.labels();
        Map<String, String> all = new TreeMap<>(node.facts().labels());
        Map<String, Set<String>> applied = new HashMap<>(node.appliedLabels());
        Set<String> held = applied.getOrDefault(manager, Set.of());
        for (String label : held) {
            boolean coOwned = node.appliedLabels().entrySet().stream()
                    .anyMatch(other ->
                            !other.getKey().equals(manager) && other.getValue().contains(label));
            if (!labels.containsKey(label) && !coOwned) {
                all.remove(label);
            }
        }
        all.putAll(labels);
        if (labels.isEmpty()) {
            applied.remove(manager);
        } else {
            applied.put(manager, Set.copyOf(labels.keySet()));
        }
        NodeHolds holds = node.holds().with(manager, marks);
        // Equal facts stay the same object: whoever keeps answers about a node need not compare them.
        NodeFacts facts = all.equals(node.facts().labels())
                        && holds.cordoned() == node.facts().unschedulable()
                ? node.facts()
                : NodeFacts.builder()
                        .from(node.facts())
                        .labels(all)
                        .unschedulable(holds.cordoned())
                        .build();
        return new ObservedNode(facts, node.uid(), applied, node.coOwnedLabels(), holds);
    }
}
