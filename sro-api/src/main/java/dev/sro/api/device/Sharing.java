package dev.sro.api.device;

import dev.sro.api.Checks;
import dev.sro.api.Experimental;

/**
 * The sharing of one device by several pods. Immutable.
 *
 * @param policy the vendor's name for it, for example {@code time-slicing} or {@code mps}
 * @param replicas how many pods at most, two or more
 * @since 0.1.0
 */
@Experimental("slices that are made on demand will be offered by it")
public record Sharing(String policy, int replicas) {

    /** Checks both. */
    public Sharing {
        Checks.dnsLabel("Sharing.policy", policy);
        Checks.range("Sharing.replicas", replicas, 2, 1000);
    }
}
