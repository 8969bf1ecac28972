package dev.sro.testkit.upgrade;

import static dev.sro.testkit.upgrade.ResetPlugin.RESETS;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The agents of all nodes: they do what is ordered when they are looked after, or fail at it, and write down who was on the node. */
final class ResetAgent {

    private final UpgradeWorld world;
    private final Set<String> stubborn = new HashSet<>();
    private final Set<String> asleep = new HashSet<>();
    private final Map<String, List<String>> onNode = new TreeMap<>();
    private final List<String> resets = new ArrayList<>();
    private int mostCordoned;

    ResetAgent(UpgradeWorld world) {
        this.world = world;
    }

    /** Of this node no device can be reset. */
    void cannot(String node) {
        stubborn.add(node);
    }

    /** Of this node nobody answers. */
    void sleeps(String node) {
        asleep.add(node);
    }

    void needs(String node, String devices) {
        annotate(node, RESETS.needed(), devices);
    }

    /** Nodes in the order in which their devices were reset. */
    List<String> resets() {
        return resets;
    }

    /** Names of pods, without their suffixes, that were on the node when its devices were reset. */
    List<String> onNode(String node) {
        return onNode.getOrDefault(node, List.of());
    }

    int mostCordoned() {
        return mostCordoned;
    }

    String annotation(String node, String key) {
        return world.sandbox
                .client()
                .nodes()
                .withName(node)
                .get()
                .getMetadata()
                .getAnnotations()
                .getOrDefault(key, "");
    }

    void annotate(String node, String key, String value) {
        world.sandbox.client().nodes().withName(node).edit(old -> {
            if (value.isEmpty()) {
                old.getMetadata().getAnnotations().remove(key);
            } else {
                old.getMetadata().getAnnotations().put(key, value);
            }
            return old;
        });
    }

    /** Looks at all nodes once. */
    void look() {
        int cordoned = 0;
        for (Node node : world.sandbox.client().nodes().list().getItems()) {
            cordoned += Boolean.TRUE.equals(node.getSpec().getUnschedulable()) ? 1 : 0;
            Map<String, String> annotations = node.getMetadata().getAnnotations();
            String name = node.getMetadata().getName();
            boolean failed = annotations.containsKey(RESETS.failed());
            if (annotations.containsKey(RESETS.order()) && !failed && !asleep.contains(name)) {
                reset(name, annotations.getOrDefault(RESETS.needed(), ""));
            }
        }
        mostCordoned = Math.max(mostCordoned, cordoned);
    }

    private void reset(String node, String needed) {
        List<String> names = new ArrayList<>();
        for (Pod pod : world.sandbox.client().pods().inAnyNamespace().list().getItems()) {
            if (node.equals(pod.getSpec().getNodeName())) {
                names.add(pod.getMetadata().getName().replaceFirst("^gpu-([a-z]+)-.*", "$1"));
            }
        }
        onNode.put(node, names.stream().sorted().toList());
        resets.add(node);
        boolean fails = stubborn.contains(node);
        annotate(node, fails ? RESETS.failed() : RESETS.needed(), fails ? needed : "");
    }
}
