package dev.sro.core.plan.status;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateReport;
import java.util.List;

/** Counts nodes on which all is done. Stateless. */
final class ReadyNodes {

    private ReadyNodes() {}

    /** On how many nodes of the pool every state that is reached node by node is ready. */
    static int count(List<StateReport> reports, Pool pool) {
        boolean everywhere = !reports.isEmpty();
        for (StateReport report : reports) {
            PoolReport inPool = report.in(pool.name());
            if (inPool == null) {
                everywhere = false;
            } else if (report.perNode() && !inPool.nodes().isEmpty()) {
                everywhere &= inPool.isReadyOnAll(pool.nodes().size());
            } else {
                everywhere &= inPool.outcome().isReady();
            }
        }
        if (everywhere) {
            return pool.nodes().size();
        }
        int ready = 0;
        for (String node : pool.nodes()) {
            ready += isReady(reports, pool.name(), node) ? 1 : 0;
        }
        return ready;
    }

    /** Whether every state that is reached node by node is ready on the node. */
    private static boolean isReady(List<StateReport> reports, String pool, String node) {
        for (StateReport report : reports) {
            Outcome outcome = report.on(pool, node);
            if (outcome == null || !outcome.isReady()) {
                return false;
            }
        }
        return !reports.isEmpty();
    }
}
