package dev.sro.core.plan;

import dev.sro.api.Outcome;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far a state is in one pool. Immutable.
 *
 * @param outcome of the pool
 * @param nodes outcome per node, by name; empty for states that are not reached node by node
 * @param readyNodes how many nodes are ready
 */
public record PoolReport(Outcome outcome, SortedMap<String, Outcome> nodes, int readyNodes) {

    /** Copies the map and counts. */
    public PoolReport(Outcome outcome, SortedMap<String, Outcome> nodes) {
        this(outcome, Collections.unmodifiableSortedMap(new TreeMap<>(nodes)), ready(nodes));
    }

    public static PoolReport of(Outcome outcome) {
        return new PoolReport(outcome, new TreeMap<>());
    }

    private static int ready(SortedMap<String, Outcome> nodes) {
        int ready = 0;
        for (Outcome node : nodes.values()) {
            if (node.isReady()) {
                ready++;
            }
        }
        return ready;
    }

    /** Whether the state is ready on every node of a pool of this size. */
    public boolean isReadyOnAll(int size) {
        return readyNodes == size && nodes.size() == size;
    }
}
