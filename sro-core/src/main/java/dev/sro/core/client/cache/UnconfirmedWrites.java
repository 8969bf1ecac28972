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

    /** In the whole cluster. */
    private static final String EVERYWHERE = "";

    private record Answer(Scope scope, String resourceVersion) {}

    /** Of which objects a list is; the namespace is empty for those of the whole cluster. */
    private record Scope(String kind, String namespace) {}

    private final Map<K, Answer> answers = new HashMap<>();
    private final Map<Scope, String> lists = new HashMap<>();

    /**
     * Whether an answer about an object that is not known comes too late: the latest list of its kind would have it.
     *
     * @param kind as for {@link #listed}
     * @param namespace of the object; empty where lists are always of the whole cluster
     */
    boolean isLate(String kind, String namespace, String resourceVersion) {
        return Versions.isOlder(resourceVersion, lists.get(new Scope(kind, EVERYWHERE)))
                || Versions.isOlder(resourceVersion, lists.get(new Scope(kind, namespace)));
    }

    /** An answer told of an object that no watch has told of; parameters as for {@link #isLate}. */
    void answered(K object, String kind, String namespace, String resourceVersion) {
        answers.put(object, new Answer(new Scope(kind, namespace), resourceVersion));
    }

    /** A watch told of it. */
    void confirmed(K object) {
        answers.remove(object);
    }

    /**
     * Everything that a list has was told of.
     *
     * @param namespace in which it lists; empty for the whole cluster
     * @return objects that were there before the list was made, and are not in it
     */
    Set<K> listed(String kind, String namespace, String resourceVersion) {
        lists.put(new Scope(kind, namespace), resourceVersion);
        Set<K> missing = new HashSet<>();
        answers.forEach((object, answer) -> {
            Scope scope = answer.scope();
            if (scope.kind().equals(kind)
                    && (namespace.equals(EVERYWHERE) || namespace.equals(scope.namespace()))
                    && Versions.isOlder(answer.resourceVersion(), resourceVersion)) {
                missing.add(object);
            }
        });
        answers.keySet().removeAll(missing);
        return missing;
    }
}
