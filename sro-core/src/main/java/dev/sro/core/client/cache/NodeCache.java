package dev.sro.core.client.cache;

import dev.sro.api.NodeFacts;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.facts.NodeFeatures;
import dev.sro.core.facts.ObservedNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Projections of all nodes, by watch events and answers to writes, of which the newer counts. Thread-safe. */
public final class NodeCache {

    /** Allocatable amounts that differ a little each time the kubelet measures them. */
    private static final List<String> MEASURED = List.of("memory", "ephemeral-storage");

    /** Sorted, so that what is made of it need not be. */
    private final ConcurrentSkipListMap<String, ObservedNode> nodes = new ConcurrentSkipListMap<>();

    private final FeatureCache features = new FeatureCache();
    private final Interner interner;
    /** The resourceVersion of the latest that is known of each node, whoever told of it. */
    private final Map<String, String> versions = new HashMap<>();

    private final Tombstones gone = new Tombstones();

    /** The node before and after; empty where there was or is none. */
    public record Change(Optional<ObservedNode> before, Optional<ObservedNode> after) {
        /** Whether anything changed that may be a reason to act: more than amounts that a kubelet measures anew. */
        public boolean isReal() {
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

    public NodeCache(Interner interner) {
        this.interner = interner;
    }

    private void keep(String name, ObservedNode node) {
        nodes.put(name, interner.node(node));
    }

    public Collection<ObservedNode> all() {
        return nodes.values();
    }

    /** From the watch or from the answer to a write: what is older than what is known changes nothing. */
    public synchronized Change seen(StoredNode stored) {
        String name = stored.name();
        Optional<ObservedNode> before = Optional.ofNullable(nodes.get(name));
        if (gone.isGone(stored.uid()) || Versions.isOlder(stored.resourceVersion(), versions.get(name))) {
            return new Change(before, before);
        }
        versions.put(name, stored.resourceVersion());
        Optional<ObservedNode> after = stored.node().map(known -> featured(known, features.of(name)));
        if (after.isEmpty()) {
            nodes.remove(name);
        } else if (!before.equals(after)) {
            // An equal node stays the same object: plans pass over it.
            keep(name, after.get());
        }
        return new Change(before, after);
    }

    /** What is known of a node beside its labels changed. */
    public synchronized Change featuresSeen(String object, NodeFeatures seen) {
        features.seen(object, seen);
        return featured(seen.node());
    }

    public synchronized Change featuresGone(String object) {
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

    /** The watch says that it is gone; another node may have its name already. */
    public synchronized Change gone(String name, String uid, String resourceVersion) {
        gone.add(uid, resourceVersion);
        ObservedNode known = nodes.get(name);
        if (known == null) {
            versions.remove(name);
        }
        if (known == null || !known.uid().equals(uid)) {
            return new Change(Optional.ofNullable(known), Optional.ofNullable(known));
        }
        versions.remove(name);
        return new Change(Optional.ofNullable(nodes.remove(name)), Optional.empty());
    }
}
