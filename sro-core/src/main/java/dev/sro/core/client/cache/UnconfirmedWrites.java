package dev.sro.core.client.cache;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Objects that are known by the answer to a write alone, because no watch has told of them yet. What goes before a watch could tell of
 * it, while that is interrupted, is never said to be gone: it is only missing in the next list. Not thread-safe: guarded by the cache
 * that it belongs to.
 *
 * @param <K> what the objects are known by
 */
final class UnconfirmedWrites<K> {

    private record Answer(String kind, String resourceVersion) {}

    private final Map<K, Answer> answers = new HashMap<>();
    private final Map<String, String> lists = new HashMap<>();

    /**
     * Whether an answer about an object that is not known comes too late: the latest list of its kind would have it.
     *
     * @param kind as for {@link #listed}
     */
    boolean isLate(String kind, String resourceVersion) {
        return Versions.isOlder(resourceVersion, lists.get(kind));
    }

    /** An answer told of an object that no watch has told of. */
    void answered(K object, String kind, String resourceVersion) {
        answers.put(object, new Answer(kind, resourceVersion));
    }

    /** A watch told of it. */
    void confirmed(K object) {
        answers.remove(object);
    }

    /**
     * Everything that a list has was told of.
     *
     * @return objects that were there before the list was made, and are not in it
     */
    Set<K> listed(String kind, String resourceVersion) {
        lists.put(kind, resourceVersion);
        Set<K> missing = new HashSet<>();
        answers.forEach((object, answer) -> {
            if (answer.kind().equals(kind) && Versions.isOlder(answer.resourceVersion(), resourceVersion)) {
                missing.add(object);
            }
        });
        answers.keySet().removeAll(missing);
        return missing;
    }
}
