package dev.sro.core.client.cache;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Operands by the special resource in their label, by watch events and answers to writes, of which the newer counts. Thread-safe.
 */
public final class ObjectCache {

    private final Map<String, Map<ObjectRef, KubeObject>> byResource = new HashMap<>();
    private final Map<String, KubeObject> byUid = new HashMap<>();
    private final Map<String, String> resourceByUid = new HashMap<>();
    private final Tombstones gone = new Tombstones();
    private final UnconfirmedWrites<ObjectRef> unconfirmed = new UnconfirmedWrites<>();

    public synchronized Map<ObjectRef, KubeObject> owned(String resourceLabel) {
        return Map.copyOf(byResource.getOrDefault(resourceLabel, Map.of()));
    }

    public synchronized Optional<KubeObject> byUid(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /**
     * The watch tells of it.
     *
     * @return labels of the special resources that it concerns: whose it is, and whose it was; empty where nothing changed
     */
    public synchronized Set<String> seen(KubeObject object) {
        unconfirmed.confirmed(object.ref());
        return put(object);
    }

    /**
     * The answer to a write tells of it.
     *
     * @return as for {@link #seen}
     */
    public synchronized Set<String> answered(KubeObject object) {
        KubeObject known = byResource.getOrDefault(resourceOf(object), Map.of()).get(object.ref());
        if (known == null || !known.uid().equals(object.uid())) {
            String kind = object.ref().kindKey();
            String namespace = object.ref().namespace();
            if (unconfirmed.isLate(kind, namespace, object.resourceVersion())) {
                return Set.of();
            }
            unconfirmed.answered(object.ref(), kind, namespace, object.resourceVersion());
        }
        return put(object);
    }

    /** Of any special resource. */
    public synchronized boolean contains(ObjectRef ref) {
        return byResource.values().stream().anyMatch(objects -> objects.containsKey(ref));
    }

    /**
     * Somebody else begins to watch: what is known of these objects counts until its first list, and what that does not have is gone.
     *
     * @param namespace empty for the whole cluster
     */
    public synchronized void doubt(String kindKey, String namespace) {
        byResource
                .values()
                .forEach(objects -> objects.forEach((ref, known) -> {
                    if (ref.kindKey().equals(kindKey)
                            && (namespace.isEmpty() || ref.namespace().equals(namespace))) {
                        unconfirmed.answered(ref, kindKey, ref.namespace(), known.resourceVersion());
                    }
                }));
    }

    /**
     * Everything that a list has was told of.
     *
     * @param namespace in which it lists; empty for the whole cluster
     * @return labels of the special resources of objects that are not in it
     */
    public synchronized Set<String> listed(String kindKey, String namespace, String resourceVersion) {
        Set<String> concerned = new HashSet<>();
        for (ObjectRef missing : unconfirmed.listed(kindKey, namespace, resourceVersion)) {
            byResource.forEach((label, objects) -> {
                KubeObject known = objects.remove(missing);
                if (known != null) {
                    byUid.remove(known.uid());
                    resourceByUid.remove(known.uid());
                    concerned.add(label);
                }
            });
        }
        byResource.values().removeIf(Map::isEmpty);
        return concerned;
    }

    /**
     * Objects of a kind are gone, or nobody sees them any more.
     *
     * @param which of them
     * @return labels of the special resources that it concerns
     */
    public synchronized Set<String> forget(String kindKey, Predicate<ObjectRef> which) {
        Predicate<ObjectRef> forgotten = ref -> ref.kindKey().equals(kindKey) && which.test(ref);
        Set<String> concerned = new HashSet<>();
        byResource.forEach((label, objects) -> {
            if (objects.keySet().removeIf(forgotten)) {
                concerned.add(label);
            }
        });
        byUid.values().removeIf(object -> forgotten.test(object.ref()));
        resourceByUid.keySet().retainAll(byUid.keySet());
        return concerned;
    }

    private Set<String> put(KubeObject told) {
        // Somebody may have taken our label off: it is ours all the same, and the label comes back.
        String resource = resourceOf(told);
        if (resource.isEmpty() || gone.isGone(told.uid(), told.resourceVersion())) {
            return Set.of();
        }
        Map<ObjectRef, KubeObject> objects = byResource.computeIfAbsent(resource, unused -> new HashMap<>());
        KubeObject known = objects.get(told.ref());
        KubeObject object = staysTerminating(known, told) ? terminating(told) : told;
        if (known != null && isNotNewer(object, known)) {
            return Set.of();
        }
        String before = resourceByUid.get(object.uid());
        Set<String> concerned = new HashSet<>(Set.of(resource));
        if (before != null && !before.equals(resource)) {
            // Another special resource has taken it over.
            byResource.getOrDefault(before, new HashMap<>()).remove(object.ref());
            concerned.add(before);
        }
        objects.put(object.ref(), object);
        if (known != null) {
            byUid.remove(known.uid());
            if (!known.uid().equals(object.uid())) {
                resourceByUid.remove(known.uid());
            }
        }
        byUid.put(object.uid(), object);
        resourceByUid.put(object.uid(), resource);
        return concerned;
    }

    /** The label of the special resource that the object belongs to, or belonged to when it still had the label. */
    public synchronized String resourceOf(KubeObject object) {
        return object.label(MetadataKeys.SPECIAL_RESOURCE)
                .or(() -> Optional.ofNullable(resourceByUid.get(object.uid())))
                .orElseGet(() -> former(object));
    }

    /** The operator before us had no label that says whose an object is. */
    private static String former(KubeObject object) {
        return object.maps("metadata", "ownerReferences").stream()
                .filter(owner -> Boolean.TRUE.equals(owner.get("controller")))
                .filter(owner -> SpecialResource.KIND.equals(owner.get("kind")))
                .map(owner -> MetadataKeys.specialResourceLabel(ValueTrees.text(owner, "name")))
                .findFirst()
                .orElse("");
    }

    /** Nobody takes a deletion back: a watch that is late may tell of a change from before it. */
    private static boolean staysTerminating(@Nullable KubeObject known, KubeObject told) {
        return known != null && known.uid().equals(told.uid()) && known.terminating() && !told.terminating();
    }

    private static KubeObject terminating(KubeObject object) {
        return object.edit(tree -> ValueTrees.ensureMap(tree, "metadata").put("deletionTimestamp", "requested"));
    }

    private static boolean isNotNewer(KubeObject object, KubeObject known) {
        return Versions.isOlder(object.resourceVersion(), known.resourceVersion())
                || (object.uid().equals(known.uid())
                        && object.resourceVersion().equals(known.resourceVersion())
                        && (known.terminating() || !object.terminating()));
    }

    /**
     * The watch says that it is gone.
     *
     * @return labels of the special resources that it concerns
     */
    public synchronized Set<String> gone(KubeObject object) {
        Set<String> concerned = new HashSet<>();
        String label = resourceOf(object);
        if (!label.isEmpty()) {
            concerned.add(label);
        }
        gone.add(object.uid(), object.resourceVersion());
        byResource.forEach((owner, objects) -> {
            KubeObject known = objects.get(object.ref());
            if (known != null && known.uid().equals(object.uid())) {
                objects.remove(object.ref());
                unconfirmed.confirmed(object.ref());
                concerned.add(owner);
            }
        });
        resourceByUid.remove(object.uid());
        byUid.remove(object.uid());
        byResource.values().removeIf(Map::isEmpty);
        return concerned;
    }

    /**
     * A deletion was accepted: until it is gone, the object counts as terminating.
     *
     * @return labels of the special resources that it concerns
     */
    public synchronized Set<String> deleting(ObjectRef ref, String uid) {
        Set<String> concerned = new HashSet<>();
        byResource.forEach((label, objects) -> {
            KubeObject known = objects.get(ref);
            if (known != null && known.uid().equals(uid) && !known.terminating()) {
                KubeObject terminating = terminating(known);
                objects.put(ref, terminating);
                byUid.put(uid, terminating);
                concerned.add(label);
            }
        });
        return concerned;
    }
}
