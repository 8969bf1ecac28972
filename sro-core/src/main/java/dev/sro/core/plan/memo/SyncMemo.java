package dev.sro.core.plan.memo;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers which pairs of desired and live object were compared already, so that an unchanged object costs one look-up.
 * It changes the cost of a plan, never its result. Thread-safe.
 */
public final class SyncMemo {

    private record Pair(KubeObject desired, KubeObject live, Optional<String> difference) {}

    private final ConcurrentHashMap<ObjectRef, Pair> known = new ConcurrentHashMap<>();
    private final NodeMemo nodes = new NodeMemo();

    /** What is remembered of nodes. */
    public NodeMemo nodes() {
        return nodes;
    }

    /** {@link Drift#find}, or what it said about the very same two objects. */
    // Identity is the point: caches hand out the same object until it changes.
    @SuppressWarnings("ReferenceEquality")
    public Optional<String> drift(KubeObject desired, KubeObject live) {
        Pair pair = known.get(desired.ref());
        if (pair != null && pair.desired == desired && pair.live == live) {
            return pair.difference;
        }
        Optional<String> difference = Drift.find(desired, live);
        known.put(desired.ref(), new Pair(desired, live, difference));
        return difference;
    }

    /** Forgets an object that is gone. */
    void forget(ObjectRef ref) {
        known.remove(ref);
    }
}
