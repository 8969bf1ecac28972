package dev.sro.core.embed;

import dev.sro.core.lease.LeaderLease;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.UUID;

/**
 * The Lease by which one of several replicas leads. Immutable.
 *
 * @param name of the Lease, in the operator's own namespace; no other operator has it
 * @param identity of this replica, different from that of all others
 * @param duration after which another replica takes over from one that is silent
 * @param renewDeadline after which a leader that cannot renew the lease gives up; shorter than {@code duration}
 * @param retryPeriod between attempts to get or renew it; shorter than {@code renewDeadline}
 */
public record OperatorLease(
        String name, String identity, Duration duration, Duration renewDeadline, Duration retryPeriod) {

    /** Those of Kubernetes' own components ({@code component-base/config/options/leaderelectionconfig.go}). */
    private static final Duration DURATION = Duration.ofSeconds(15);

    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    /**
     * Checks the times.
     *
     * @throws IllegalArgumentException if one is not shorter than the next, or a name is empty
     */
    public OperatorLease {
        if (name.isBlank() || identity.isBlank()) {
            throw new IllegalArgumentException("lease: name \"" + name + "\" and identity \"" + identity
                    + "\" must not be empty; the name is that of the application");
        }
        new LeaderLease.Times(duration, renewDeadline, retryPeriod);
    }

    /** With the times of Kubernetes' own components, and an identity made of the host name and a random number. */
    public static OperatorLease of(String name) {
        return new OperatorLease(name, host() + "_" + UUID.randomUUID(), DURATION, RENEW_DEADLINE, RETRY_PERIOD);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "sro";
        }
    }

    LeaderLease.Times times() {
        return new LeaderLease.Times(duration, renewDeadline, retryPeriod);
    }
}
