package dev.sro.core.build;

import dev.sro.api.Outcome;
import java.time.Instant;
import java.util.List;

/**
 * What of a pool's build shall exist now. Immutable.
 *
 * @param runs attempts whose objects shall exist: one for each step that has begun. While there is none, and the image is not there,
 *     it is not known what shall exist, and what exists is left alone
 * @param outcome how far the image is: Ready when it was pushed
 * @param wakeUp when to look again although nothing changes; {@link Instant#MAX} for never
 */
public record PoolBuild(List<Run> runs, Outcome outcome, Instant wakeUp) {

    /** Copies the runs. */
    public PoolBuild {
        runs = List.copyOf(runs);
    }

    /**
     * One attempt.
     *
     * @param step what runs
     * @param attempt from 1
     */
    public record Run(BuildStep step, int attempt) {}
}
