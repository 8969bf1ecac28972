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
 */
public record PoolReport(Outcome outcome, SortedMap<String, Outcome> nodes) {

    /** Copies the map. */
    public PoolReport {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    }

    static PoolReport of(Outcome outcome) {
        return new PoolReport(outcome, new TreeMap<>());
    }

    /** How many nodes are ready. */
    public int readyNodes() {
        int ready = 0;
        for (Outcome node : nodes.values()) {
            if (node.isReady()) {
                ready++;
            }
        }
        return ready;
    }
}
