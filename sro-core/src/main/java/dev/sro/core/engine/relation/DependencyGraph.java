package dev.sro.core.engine.relation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** Finds cycles among special resources that depend on one another. Stateless. */
final class DependencyGraph {

    private DependencyGraph() {}

    /**
     * The shortest way from a special resource back to itself; of several, the first by name.
     *
     * @param edges on which others each depends
     * @return start, the others on the way, and start again; empty when there is none
     */
    static List<String> cycle(String start, Map<String, SortedSet<String>> edges) {
        Map<String, String> cameFrom = new HashMap<>();
        Deque<String> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            String current = queue.remove();
            for (String next : edges.getOrDefault(current, Collections.emptySortedSet())) {
                if (next.equals(start)) {
                    return way(start, current, cameFrom);
                }
                if (cameFrom.putIfAbsent(next, current) == null) {
                    queue.add(next);
                }
            }
        }
        return List.of();
    }

    private static List<String> way(String start, String last, Map<String, String> cameFrom) {
        List<String> way = new ArrayList<>(List.of(start));
        for (String at = last; !at.equals(start); at = cameFrom.getOrDefault(at, start)) {
            way.add(at);
        }
        way.add(start);
        Collections.reverse(way);
        return way;
    }
}
