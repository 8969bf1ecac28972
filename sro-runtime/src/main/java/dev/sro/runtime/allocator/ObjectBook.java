package dev.sro.runtime.allocator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one kind, of watches and of answers to writes, of each the newest: what was written here is known before a watch tells of it, and what a
 * watch tells late takes nothing back. Thread-safe.
 */
final class ObjectBook<T extends HasMetadata> {
    /** So many that an answer which comes after the end of its object still finds it among them. */
    private static final int MOST_ENDED = 10_000;

    private final Map<String, T> objects = new LinkedHashMap<>();
    private final Map<String, Boolean> ended = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_ENDED;
        }
    };

    /** Notes an object; false if something newer is known. */
    synchronized boolean seen(T object) {
        String uid = object.getMetadata().getUid();
        if (ended.containsKey(uid)) {
            return false;
        }
        T known = objects.get(key(object));
        if (known != null && version(known) > version(object)) {
            return false;
        }
        objects.put(key(object), object);
        return true;
    }

    /** Notes that an object is gone. */
    synchronized void gone(T object) {
        String uid = object.getMetadata().getUid();
        ended.put(uid, true);
        T known = objects.get(key(object));
        if (known != null && known.getMetadata().getUid().equals(uid)) {
            objects.remove(key(object));
        }
    }

    synchronized @Nullable T get(String namespace, String name) {
        return objects.get(namespace + "/" + name);
    }

    synchronized List<T> all() {
        return List.copyOf(objects.values());
    }

    synchronized Map<String, T> byUid() {
        Map<String, T> byUid = new HashMap<>();
        objects.values().forEach(object -> byUid.put(object.getMetadata().getUid(), object));
        return byUid;
    }

    static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    /** A number on every API server in use, and comparable by contract since Kubernetes 1.35. */
    static long version(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getResourceVersion())
                .filter(version -> !version.isEmpty() && version.chars().allMatch(Character::isDigit))
                .map(Long::parseLong)
                .orElse(-1L);
    }
}
