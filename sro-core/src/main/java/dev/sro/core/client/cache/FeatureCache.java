package dev.sro.core.client.cache;

import dev.sro.core.facts.NodeFeatures;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.WeakHashMap;

/** What {@code NodeFeature} objects say of nodes; a node may have several, of which the last by name counts. Not thread-safe. */
final class FeatureCache {

    /** By node and name of the object. */
    private final Map<String, SortedMap<String, SortedMap<String, String>>> byNode = new HashMap<>();

    private final Map<String, String> nodes = new HashMap<>();

    /** Nodes with the same hardware have the same features: one of each is kept, as long as a node has it. */
    private final Map<SortedMap<String, String>, WeakReference<SortedMap<String, String>>> known = new WeakHashMap<>();

    /** An object is there, or changed. */
    void seen(String object, NodeFeatures features) {
        String before = nodes.put(object, features.node());
        if (before != null && !before.equals(features.node())) {
            remove(before, object);
        }
        byNode.computeIfAbsent(features.node(), unused -> new TreeMap<>()).put(object, shared(features.features()));
    }

    /** An object is gone; returns the node that it was about, empty if it was about none. */
    String gone(String object) {
        String node = nodes.remove(object);
        if (node == null) {
            return "";
        }
        remove(node, object);
        return node;
    }

    private void remove(String node, String object) {
        SortedMap<String, SortedMap<String, String>> left = byNode.get(node);
        if (left != null) {
            left.remove(object);
            if (left.isEmpty()) {
                byNode.remove(node);
            }
        }
    }

    /** All features of a node. */
    Map<String, String> of(String node) {
        SortedMap<String, SortedMap<String, String>> all = byNode.getOrDefault(node, Collections.emptySortedMap());
        if (all.size() == 1) {
            return all.values().iterator().next();
        }
        SortedMap<String, String> merged = new TreeMap<>();
        all.values().forEach(merged::putAll);
        return merged;
    }

    private SortedMap<String, String> shared(SortedMap<String, String> features) {
        WeakReference<SortedMap<String, String>> reference = known.get(features);
        SortedMap<String, String> same = reference == null ? null : reference.get();
        if (same != null) {
            return same;
        }
        known.put(features, new WeakReference<>(features));
        return features;
    }
}
