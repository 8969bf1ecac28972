package dev.sro.core.client;

import dev.sro.core.probe.PodFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Projections of operand pods by the uid of their controller. Thread-safe. */
final class PodCache {

    private final Map<String, Map<String, PodFacts>> byOwner = new HashMap<>();

    synchronized List<PodFacts> of(String ownerUid) {
        return List.copyOf(byOwner.getOrDefault(ownerUid, Map.of()).values());
    }

    /** Returns whether anything changed. */
    synchronized boolean seen(PodFacts pod) {
        PodFacts before =
                byOwner.computeIfAbsent(pod.owner(), owner -> new HashMap<>()).put(key(pod), pod);
        return !pod.equals(before);
    }

    synchronized void gone(PodFacts pod) {
        Map<String, PodFacts> pods = byOwner.get(pod.owner());
        if (pods != null) {
            pods.remove(key(pod));
            if (pods.isEmpty()) {
                byOwner.remove(pod.owner());
            }
        }
    }

    private static String key(PodFacts pod) {
        return pod.namespace() + "/" + pod.name();
    }
}
