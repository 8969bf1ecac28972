package dev.sro.api.device;

import dev.sro.api.Checks;

/**
 * How several pods share one device. Immutable.
 *
 * @param policy the vendor's name for it, for example {@code time-slicing} or {@code mps}
 * @param replicas how many pods at most, two or more
 */
public record Sharing(String policy, int replicas) {

    /** Checks both. */
    public Sharing {
        Checks.dnsLabel("Sharing.policy", policy);
        Checks.range("Sharing.replicas", replicas, 2, 1000);
    }
}
