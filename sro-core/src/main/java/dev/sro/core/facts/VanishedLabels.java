package dev.sro.core.facts;

import dev.sro.api.NodeFacts;
import dev.sro.core.model.MetadataKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Nodes with the labels of Node Feature Discovery that they have lost. Stateless. */
public final class VanishedLabels {

    /** How the keys begin that Node Feature Discovery writes. */
    private static final String FEATURE = "feature.node.kubernetes.io/";

    private static final String OS = FEATURE + "system-os_release.";

    private VanishedLabels() {}

    /** Whether a label of this key says something of the hardware or the system of a node, and vanishes with its writer. */
    public static boolean isFeature(String key) {
        return key.startsWith(FEATURE) && !key.equals(MetadataKeys.KERNEL_LABEL);
    }

    /**
     * The node with the features that it had before and has no label for any more; the node itself if there are none. One whose value
     * changed has not vanished. The kernel's label is left alone: pods are pinned to it, so that it has to be written where it is
     * missing.
     */
    public static ObservedNode restored(ObservedNode node, ObservedNode before) {
        if (before.facts().labels() == node.facts().labels()) {
            return node;
        }
        Map<String, String> labels = null;
        boolean os = false;
        for (Map.Entry<String, String> label : before.facts().labels().entrySet()) {
            if (isFeature(label.getKey()) && !node.facts().labels().containsKey(label.getKey())) {
                labels = labels == null ? new HashMap<>(node.facts().labels()) : labels;
                labels.put(label.getKey(), label.getValue());
                os |= label.getKey().startsWith(OS);
            }
        }
        if (labels == null) {
            return node;
        }
        NodeFacts.Builder facts = NodeFacts.builder().from(node.facts()).labels(labels);
        if (os && before.facts().kernel().equals(node.facts().kernel())) {
            facts.os(before.facts().os());
        }
        return with(node, facts.build());
    }

    /**
     * The node with the features that it was selected by, when it has no label for them and lacks nothing else of the selector; the
     * node itself otherwise.
     *
     * @param manager the node is one that this manager holds labels on
     */
    public static ObservedNode restored(ObservedNode node, Map<String, String> selector, String manager) {
        if (node.appliedLabels().getOrDefault(manager, Set.of()).isEmpty()) {
            return node;
        }
        Map<String, String> labels = new HashMap<>(node.facts().labels());
        for (Map.Entry<String, String> wanted : selector.entrySet()) {
            String actual = labels.get(wanted.getKey());
            if (actual == null && isFeature(wanted.getKey())) {
                labels.put(wanted.getKey(), wanted.getValue());
            } else if (!wanted.getValue().equals(actual)) {
                return node;
            }
        }
        return labels.size() == node.facts().labels().size()
                ? node
                : with(
                        node,
                        NodeFacts.builder().from(node.facts()).labels(labels).build());
    }

    private static ObservedNode with(ObservedNode node, NodeFacts facts) {
        return new ObservedNode(facts, node.uid(), node.appliedLabels(), node.coOwnedLabels());
    }
}
