package dev.sro.core.plan;

import dev.sro.api.Outcome;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far a state is. Immutable.
 *
 * @param state its id
 * @param perNode whether it is reached node by node
 * @param outcome the worst of all pools
 * @param pools by pool name; for a state of scope CLUSTER one entry with the empty name
 */
public record StateReport(String state, boolean perNode, Outcome outcome, SortedMap<String, PoolReport> pools) {

    /** Copies the map. */
    public StateReport {
        pools = Collections.unmodifiableSortedMap(new TreeMap<>(pools));
    }

    /** How many pools are ready. */
    public int readyPools() {
        int ready = 0;
        for (PoolReport pool : pools.values()) {
            if (pool.outcome().isReady()) {
                ready++;
            }
        }
        return ready;
    }
}
