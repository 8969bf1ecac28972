package dev.sro.core.client.cache;

import dev.sro.api.NodeFacts;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.probe.PodFacts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps one of equal values, so that what thousands of nodes and pods have in common is in memory once: keys and values of labels,
 * kernels, names of owners. Bounded: when it is full it forgets all, which costs some doubles and nothing else. Thread-safe.
 */
public final class Interner {

    /** Beyond what the nodes of a large cluster have in common, and little beside what their caches take. */
    private static final int MOST = 65_536;

    private final ConcurrentHashMap<Object, Object> known = new ConcurrentHashMap<>();

    /** The value, or an equal one that was here first; values of one type are only equal to each other. */
    @SuppressWarnings("unchecked")
    public <T> T of(T value) {
        if (known.size() >= MOST) {
            known.clear();
        }
        Object first = known.putIfAbsent(value, value);
        return first == null ? value : (T) first;
    }

    /** An equal node, made of what others are made of. */
    ObservedNode node(ObservedNode node) {
        return new ObservedNode(
                facts(node.facts()), node.uid(), of(node.appliedLabels()), of(node.coOwnedLabels()), of(node.holds()));
    }

    private NodeFacts facts(NodeFacts facts) {
        return NodeFacts.builder()
                .from(facts)
                .name(of(facts.name()))
                .kernel(of(facts.kernel()))
                .os(of(facts.os()))
                .architecture(of(facts.architecture()))
                .labels(each(facts.labels()))
                .features(each(facts.features()))
                .taints(of(facts.taints()))
                .allocatable(each(facts.allocatable()))
                .build();
    }

    private Map<String, String> each(Map<String, String> map) {
        Map<String, String> result = new LinkedHashMap<>(2 * map.size());
        map.forEach((key, value) -> result.put(of(key), of(value)));
        return result;
    }

    /** An equal pod, made of what others are made of. */
    PodFacts pod(PodFacts pod) {
        return new PodFacts(
                of(pod.namespace()),
                pod.name(),
                of(pod.owner()),
                of(pod.node()),
                of(pod.phase()),
                pod.ready(),
                pod.terminating(),
                of(pod.templateGeneration()),
                of(pod.waitingReason()),
                pod.message(),
                pod.uid(),
                of(pod.workload()),
                of(pod.containers()),
                pod.restarts(),
                of(pod.driverDigest()),
                of(pod.work()),
                pod.created(),
                pod.steadyFrom(),
                pod.changed(),
                pod.counted().isEmpty() ? Map.of() : each(pod.counted()));
    }
}
