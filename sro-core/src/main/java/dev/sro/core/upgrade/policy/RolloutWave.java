package dev.sro.core.upgrade.policy;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Nodes that get a new driver before others. A node belongs to the first wave that it matches; what matches none is an implicit last
 * wave. Immutable.
 *
 * @param name for people and for the status
 * @param matchLabels labels that its nodes have
 * @param soak how long after its last node is done the next wave waits
 * @param pauseAfter whether the next wave also waits until somebody says so, see {@link RolloutPolicy#resume()}
 * @param haltOnFailures failed nodes, of those of this wave, with which the rollout halts; beside that of the whole rollout
 */
public record RolloutWave(
        String name,
        Map<String, String> matchLabels,
        Duration soak,
        boolean pauseAfter,
        Optional<NodeShare> haltOnFailures) {

    /** Checks and copies. */
    public RolloutWave {
        Objects.requireNonNull(name, "name");
        matchLabels = Map.copyOf(matchLabels);
        TimeLimits.check("RolloutWave.soak", soak);
        Objects.requireNonNull(haltOnFailures, "haltOnFailures");
    }

    /** A wave of nodes with these labels that the next one follows at once. */
    public static RolloutWave of(String name, Map<String, String> matchLabels) {
        return new RolloutWave(name, matchLabels, Duration.ZERO, false, Optional.empty());
    }

    /** Whether a node with these labels is of the wave. */
    public boolean matches(Map<String, String> labels) {
        return labels.entrySet().containsAll(matchLabels.entrySet());
    }
}
