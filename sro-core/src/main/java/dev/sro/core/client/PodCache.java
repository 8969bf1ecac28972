package dev.sro.core.client;

import dev.sro.core.probe.PodFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Projections of operand pods by the uid of their controller, and by their workload where they have one. Thread-safe. */
final class PodCache {

    private final Map<String, Map<String, PodFacts>> byOwner = new HashMap<>();
    /** Lists that were asked for and are still true. */
    private final Map<String, List<PodFacts>> lists = new HashMap<>();

    private final Interner interner;

    PodCache(Interner interner) {
        this.interner = interner;
    }

    /** The same list as long as nothing changes, so that who asks again sees that at once. */
    synchronized List<PodFacts> of(String ownerUid) {
        Map<String, PodFacts> pods = byOwner.get(ownerUid);
        return pods == null ? List.of() : lists.computeIfAbsent(ownerUid, unused -> List.copyOf(pods.values()));
    }

    /** Returns whether anything changed. */
    synchronized boolean seen(PodFacts pod) {
        if (!pod.workload().isEmpty()) {
            put(pod.workload(), pod);
        }
        return put(pod.owner(), pod);
    }

    private boolean put(String owner, PodFacts pod) {
        Map<String, PodFacts> pods = byOwner.computeIfAbsent(owner, unused -> new HashMap<>());
        if (pod.equals(pods.get(key(pod)))) {
            return false;
        }
        pods.put(key(pod), interner.pod(pod));
        lists.remove(owner);
        return true;
    }

    synchronized void gone(PodFacts pod) {
        remove(pod.owner(), pod);
        remove(pod.workload(), pod);
    }

    /** A deletion was accepted: until the watch says more, the pod counts as terminating. */
    synchronized void deleting(String uid) {
        byOwner.forEach((owner, pods) -> pods.replaceAll((key, pod) -> {
            if (pod.uid().equals(uid)) {
                lists.remove(owner);
                return pod.leaving();
            }
            return pod;
        }));
    }

    private void remove(String owner, PodFacts pod) {
        Map<String, PodFacts> pods = byOwner.get(owner);
        if (pods != null) {
            lists.remove(owner);
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
