package dev.sro.core.client.cache;

import dev.sro.core.probe.PodFacts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Projections of operand pods by the uid of their controller, and by their workload where they have one; by watch events and answers
 * to writes, of which the newer counts. Thread-safe.
 */
public final class PodCache {

    private static final String KIND = "v1/Pod";

    private record CachedPod(PodFacts pod, String resourceVersion) {}

    private final Map<String, CachedPod> byName = new HashMap<>();
    private final Map<String, Map<String, PodFacts>> byOwner = new HashMap<>();

    /** Lists that were asked for and are still true. */
    private final Map<String, List<PodFacts>> lists = new HashMap<>();

    private final Tombstones gone = new Tombstones();
    private final UnconfirmedWrites<String> unconfirmed = new UnconfirmedWrites<>();
    private final Interner interner;

    public PodCache(Interner interner) {
        this.interner = interner;
    }

    /** The same list as long as nothing changes, so that who asks again sees that at once. */
    public synchronized List<PodFacts> of(String ownerUid) {
        Map<String, PodFacts> pods = byOwner.get(ownerUid);
        return pods == null ? List.of() : lists.computeIfAbsent(ownerUid, unused -> List.copyOf(pods.values()));
    }

    /** The watch tells of it; returns whether anything changed. */
    public synchronized boolean seen(PodFacts pod, String resourceVersion) {
        unconfirmed.confirmed(key(pod));
        return put(pod, resourceVersion);
    }

    /** The answer to a write tells of it; returns whether anything changed. */
    public synchronized boolean answered(PodFacts pod, String resourceVersion) {
        String key = key(pod);
        CachedPod known = byName.get(key);
        if (known == null || !known.pod().uid().equals(pod.uid())) {
            if (unconfirmed.isLate(KIND, "", resourceVersion)) {
                return false;
            }
            unconfirmed.answered(key, KIND, "", resourceVersion);
        }
        return put(pod, resourceVersion);
    }

    /**
     * Everything that a list has was told of.
     *
     * @return owners of pods that are not in it
     */
    public synchronized Set<String> listed(String resourceVersion) {
        Set<String> owners = new HashSet<>();
        for (String key : unconfirmed.listed(KIND, "", resourceVersion)) {
            CachedPod known = byName.remove(key);
            if (known != null) {
                owners.add(known.pod().owner());
                take(known.pod());
            }
        }
        return owners;
    }

    private boolean put(PodFacts told, String resourceVersion) {
        CachedPod known = byName.get(key(told));
        // Nobody takes a deletion back: a watch that is late may tell of a change from before it.
        boolean leaves = known != null
                && known.pod().uid().equals(told.uid())
                && known.pod().terminating()
                && !told.terminating();
        PodFacts pod = leaves ? told.leaving() : told;
        if (gone.isGone(pod.uid(), resourceVersion)
                || (known != null && Versions.isOlder(resourceVersion, known.resourceVersion()))) {
            return false;
        }
        if (known != null && known.pod().equals(pod)) {
            byName.put(key(pod), new CachedPod(known.pod(), resourceVersion));
            return false;
        }
        if (known != null) {
            take(known.pod());
        }
        PodFacts kept = interner.pod(pod);
        byName.put(key(pod), new CachedPod(kept, resourceVersion));
        give(kept.owner(), kept);
        if (!kept.workload().isEmpty()) {
            give(kept.workload(), kept);
        }
        return true;
    }

    /** The watch says that it is gone; another pod may have its name already. */
    public synchronized void gone(PodFacts pod, String resourceVersion) {
        gone.add(pod.uid(), resourceVersion);
        CachedPod known = byName.get(key(pod));
        if (known != null && known.pod().uid().equals(pod.uid())) {
            byName.remove(key(pod));
            unconfirmed.confirmed(key(pod));
            take(known.pod());
        }
    }

    /** A deletion was accepted: until it is gone, the pod counts as terminating. Returns the uid of its owner. */
    public synchronized Optional<String> deleting(String uid) {
        for (CachedPod known : byName.values()) {
            PodFacts pod = known.pod();
            if (pod.uid().equals(uid)) {
                if (pod.terminating()) {
                    return Optional.empty();
                }
                PodFacts leaving = pod.leaving();
                byName.put(key(pod), new CachedPod(leaving, known.resourceVersion()));
                give(pod.owner(), leaving);
                if (!pod.workload().isEmpty()) {
                    give(pod.workload(), leaving);
                }
                return Optional.of(pod.owner());
            }
        }
        return Optional.empty();
    }

    private void give(String owner, PodFacts pod) {
        byOwner.computeIfAbsent(owner, unused -> new HashMap<>()).put(key(pod), pod);
        lists.remove(owner);
    }

    private void take(PodFacts pod) {
        take(pod.owner(), pod);
        take(pod.workload(), pod);
    }

    private void take(String owner, PodFacts pod) {
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
