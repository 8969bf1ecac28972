package dev.sro.runtime.allocator;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Nodes that a scheduler would not have for a pod, though they had devices: it took the allocation away. They are left out for a minute, then two, up to
 * ten, as whatever was in the way may go. Not thread-safe.
 */
final class NodeAvoidance {
    static final Duration FIRST = Duration.ofMinutes(1);

    private static final Duration MOST = Duration.ofMinutes(10);

    private record Avoided(Instant until, Duration next) {}

    private final Map<String, Map<String, Avoided>> byPod = new HashMap<>();

    /** Notes that a node was refused. */
    void refused(String pod, String node, Instant now) {
        Map<String, Avoided> own = byPod.computeIfAbsent(pod, uid -> new HashMap<>());
        Avoided before = own.get(node);
        Duration wait = before == null ? FIRST : before.next();
        Duration twice = wait.multipliedBy(2);
        own.put(node, new Avoided(now.plus(wait), twice.compareTo(MOST) > 0 ? MOST : twice));
    }

    boolean avoids(String pod, String node, Instant now) {
        Avoided avoided = byPod.getOrDefault(pod, Map.of()).get(node);
        return avoided != null && avoided.until().isAfter(now);
    }

    /** Forgets pods that are not among these. */
    void retain(Set<String> pods) {
        byPod.keySet().retainAll(pods);
    }
}
