package dev.sro.core.client;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Trees;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Operands by the special resource in their label, ahead of the watch by what we wrote ourselves. Thread-safe. */
final class ObjectCache {

    /** How many deleted objects are remembered, so that a late answer to a write does not bring one back. */
    private static final int TOMBSTONES = 1_000;

    private final Map<String, Map<ObjectRef, KubeObject>> byResource = new HashMap<>();
    private final Map<String, KubeObject> byUid = new HashMap<>();
    private final Map<String, String> resourceByUid = new HashMap<>();
    private final Map<ObjectRef, String> tombstones = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectRef, String> eldest) {
            return size() > TOMBSTONES;
        }
    };

    synchronized Map<ObjectRef, KubeObject> owned(String resourceLabel) {
        return Map.copyOf(byResource.getOrDefault(resourceLabel, Map.of()));
    }

    synchronized Optional<KubeObject> byUid(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** From the watch or from the answer to a write: the newer one stays. Returns whether anything changed. */
    synchronized boolean seen(KubeObject object) {
        // Somebody may have taken our label off: it is ours all the same, and the label comes back.
        String resource = resourceOf(object);
        if (resource.isEmpty() || Versions.isOlder(object.resourceVersion(), tombstones.get(object.ref()))) {
            return false;
        }
        Map<ObjectRef, KubeObject> objects = byResource.computeIfAbsent(resource, unused -> new HashMap<>());
        KubeObject known = objects.get(object.ref());
        if (known != null && known.uid().equals(object.uid()) && isNotNewer(object, known)) {
            return false;
        }
        String before = resourceByUid.get(object.uid());
        if (before != null && !before.equals(resource)) {
            // Another special resource has taken it over.
            byResource.getOrDefault(before, new HashMap<>()).remove(object.ref());
        }
        objects.put(object.ref(), object);
        if (known != null) {
            byUid.remove(known.uid());
        }
        byUid.put(object.uid(), object);
        resourceByUid.put(object.uid(), resource);
        return true;
    }

    /** The label of the special resource that the object belongs to, or belonged to when it still had the label. */
    synchronized String resourceOf(KubeObject object) {
        return object.label(Marks.SPECIAL_RESOURCE)
                .or(() -> Optional.ofNullable(resourceByUid.get(object.uid())))
                .orElseGet(() -> former(object));
    }

    /** The operator before us had no label that says whose an object is. */
    private static String former(KubeObject object) {
        return object.maps("metadata", "ownerReferences").stream()
                .filter(owner -> Boolean.TRUE.equals(owner.get("controller")))
                .filter(owner -> SpecialResource.KIND.equals(owner.get("kind")))
                .map(owner -> Marks.specialResourceLabel(Trees.text(owner, "name")))
                .findFirst()
                .orElse("");
    }

    private static boolean isNotNewer(KubeObject object, KubeObject known) {
        return Versions.isOlder(object.resourceVersion(), known.resourceVersion())
                || (object.resourceVersion().equals(known.resourceVersion())
                        && (known.terminating() || !object.terminating()));
    }

    /** The watch says that it is gone. */
    synchronized void gone(KubeObject object) {
        tombstones.put(object.ref(), object.resourceVersion());
        for (Map<ObjectRef, KubeObject> objects : byResource.values()) {
            KubeObject known = objects.get(object.ref());
            if (known != null && known.uid().equals(object.uid())) {
                objects.remove(object.ref());
            }
        }
        resourceByUid.remove(object.uid());
        byUid.remove(object.uid());
        byResource.values().removeIf(Map::isEmpty);
    }

    /** A deletion was accepted: until the watch says more, the object counts as terminating. */
    synchronized void deleting(ObjectRef ref, String uid) {
        for (Map<ObjectRef, KubeObject> objects : byResource.values()) {
            KubeObject known = objects.get(ref);
            if (known != null && known.uid().equals(uid) && !known.terminating()) {
                KubeObject terminating =
                        known.edit(tree -> Trees.ensureMap(tree, "metadata").put("deletionTimestamp", "requested"));
                objects.put(ref, terminating);
                byUid.put(uid, terminating);
            }
        }
    }

    /** A kind is not served any more: its objects are gone with it. */
    synchronized void forgetKind(String kindKey) {
        byResource
                .values()
                .forEach(objects ->
                        objects.keySet().removeIf(ref -> ref.kindKey().equals(kindKey)));
        byUid.values().removeIf(object -> object.ref().kindKey().equals(kindKey));
    }
}
