package dev.sro.core.client.cache;

import dev.sro.core.model.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Objects that operands control, by the uid of the operand. Thread-safe. */
public final class ChildCache {

    private final ConcurrentHashMap<String, Map<String, KubeObject>> byOwner = new ConcurrentHashMap<>();

    public List<KubeObject> of(String ownerUid) {
        return List.copyOf(byOwner.getOrDefault(ownerUid, Map.of()).values());
    }

    /** The uids of those who control it. */
    public List<String> seen(KubeObject child) {
        List<String> owners = owners(child);
        owners.forEach(uid -> byOwner.compute(uid, (unused, before) -> {
            Map<String, KubeObject> children = before == null ? new HashMap<>() : new HashMap<>(before);
            children.put(child.uid(), child);
            return children;
        }));
        return owners;
    }

    /** The uids of those who controlled it. */
    public List<String> gone(KubeObject child) {
        List<String> owners = owners(child);
        owners.forEach(uid -> byOwner.computeIfPresent(uid, (unused, before) -> {
            Map<String, KubeObject> children = new HashMap<>(before);
            children.remove(child.uid());
            return children.isEmpty() ? null : children;
        }));
        return owners;
    }

    private static List<String> owners(KubeObject child) {
        return child.maps("metadata", "ownerReferences").stream()
                .map(owner -> String.valueOf(owner.get("uid")))
                .toList();
    }
}
