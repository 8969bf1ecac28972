package dev.sro.core.client.cache;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Objects of which a watch said that they are gone, the latest of them, so that an answer that comes late brings none back. One that
 * only lost the label by which it is watched may come back, with a newer resourceVersion. Not thread-safe: guarded by the cache that it
 * belongs to.
 */
final class Tombstones {

    /** Far more than there can be answers under way. */
    private static final int REMEMBERED = 1_000;

    private final Map<String, String> versions = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > REMEMBERED;
        }
    };

    void add(String uid, String resourceVersion) {
        versions.put(uid, resourceVersion);
    }

    /** Whether the object is gone for good: for what is watched without a selector, as a uid is never used again. */
    boolean isGone(String uid) {
        return versions.containsKey(uid);
    }

    /** Whether what is told of the object is no newer than its end: for what may come back with another label. */
    boolean isGone(String uid, String resourceVersion) {
        String end = versions.get(uid);
        return end != null && !Versions.isOlder(end, resourceVersion);
    }
}
