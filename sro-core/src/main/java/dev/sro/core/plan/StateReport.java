package dev.sro.core.plan;

import dev.sro.api.Outcome;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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

    /** The name under which a state of scope CLUSTER reports, having no pool. */
    public static final String NO_POOL = "";

    /** How far it is in a pool; null when nothing is known of it there. */
    public @Nullable PoolReport in(String pool) {
        PoolReport own = pools.get(pool);
        return own == null ? pools.get(NO_POOL) : own;
    }

    /** How far it is on a node of a pool, or as a whole where that is not told of nodes; null when it is not known. */
    public @Nullable Outcome on(String pool, String node) {
        PoolReport inPool = in(pool);
        if (inPool == null) {
            return null;
        }
        return perNode && !inPool.nodes().isEmpty() ? inPool.nodes().get(node) : inPool.outcome();
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
