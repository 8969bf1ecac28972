package dev.sro.core.client;

import dev.sro.core.probe.PodFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Projections of operand pods by the uid of their controller, and by their workload where they have one. Thread-safe. */
final class PodCache {

    private final Map<String, Map<String, PodFacts>> byOwner = new HashMap<>();

    synchronized List<PodFacts> of(String ownerUid) {
        return List.copyOf(byOwner.getOrDefault(ownerUid, Map.of()).values());
    }

    /** Returns whether anything changed. */
    synchronized boolean seen(PodFacts pod) {
        if (!pod.workload().isEmpty()) {
            put(pod.workload(), pod);
        }
        return !pod.equals(put(pod.owner(), pod));
    }

    private @Nullable PodFacts put(String owner, PodFacts pod) {
        return byOwner.computeIfAbsent(owner, unused -> new HashMap<>()).put(key(pod), pod);
    }

    synchronized void gone(PodFacts pod) {
        remove(pod.owner(), pod);
        remove(pod.workload(), pod);
    }

    /** A deletion was accepted: until the watch says more, the pod counts as terminating. */
    synchronized void deleting(String uid) {
        for (Map<String, PodFacts> pods : byOwner.values()) {
            pods.replaceAll((key, pod) -> pod.uid().equals(uid) ? pod.leaving() : pod);
        }
    }

    private void remove(String owner, PodFacts pod) {
        Map<String, PodFacts> pods = byOwner.get(owner);
        if (pods != null) {
            pods.remove(key(pod));
            if (pods.isEmpty()) {
                byOwner.remove(owner);
            }
        }
    }

    private static String key(PodFacts pod) {
        return pod.namespace() + "/" + pod.name();
    }
}
