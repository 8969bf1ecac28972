package dev.sro.core.upgrade.policy;

import java.time.Duration;

/**
 * How pods are made to go. Immutable.
 *
 * @param force also those that nothing makes anew
 * @param deleteEmptyDir also those with an emptyDir
 * @param timeout how long they may take; zero for as long as they like
 */
public record PodRemoval(boolean force, boolean deleteEmptyDir, Duration timeout) {

    /** The default of others of its kind: nothing by force, 5 minutes. */
    public static final PodRemoval DEFAULT = new PodRemoval(false, false, Duration.ofMinutes(5));

    /** Checks. */
    public PodRemoval {
        TimeLimits.check("PodRemoval.timeout", timeout);
    }
}
