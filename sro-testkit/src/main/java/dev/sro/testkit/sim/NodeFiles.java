package dev.sro.testkit.sim;

import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Files on simulated machines by which containers tell each other that something is done, such as barriers of drivers: those that
 * {@link Behavior#leavesFile} leaves. Gone with the container that left them, and so after a boot. Thread-safe.
 */
public final class NodeFiles {
    private final Map<String, Map<String, Integer>> byNode = new ConcurrentHashMap<>();

    NodeFiles() {}

    /** Whether the file is on the node. */
    public boolean exists(String node, String path) {
        return byNode.getOrDefault(node, Map.of()).containsKey(path);
    }

    /** Paths of all files on the node. */
    public SortedSet<String> on(String node) {
        return new TreeSet<>(byNode.getOrDefault(node, Map.of()).keySet());
    }

    /** Two containers may leave the same file; it goes with the last of them. */
    void change(String node, Set<String> paths, boolean leave) {
        if (paths.isEmpty()) {
            return;
        }
        byNode.compute(node, (name, before) -> {
            Map<String, Integer> files = new TreeMap<>(before == null ? Map.of() : before);
            paths.forEach(path -> files.merge(path, leave ? 1 : -1, Integer::sum));
            files.values().removeIf(count -> count <= 0);
            return files.isEmpty() ? null : Map.copyOf(files);
        });
    }
}
