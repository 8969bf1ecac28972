package dev.sro.testkit.sim;

import java.util.Map;
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

    void leave(String node, String path) {
        change(node, path, 1);
    }

    void take(String node, String path) {
        change(node, path, -1);
    }

    /** Two containers may leave the same file; it goes with the last of them. */
    private void change(String node, String path, int by) {
        byNode.compute(node, (name, before) -> {
            Map<String, Integer> files = new TreeMap<>(before == null ? Map.of() : before);
            int left = files.getOrDefault(path, 0) + by;
            files.put(path, left);
            files.values().removeIf(count -> count <= 0);
            return files.isEmpty() ? null : Map.copyOf(files);
        });
    }
}
