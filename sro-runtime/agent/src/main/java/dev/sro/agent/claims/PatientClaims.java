package dev.sro.agent.claims;

import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Claims as long as the API server answers: of one that lets the agent wait nothing more is asked, so that a look at many claims does not take
 * a time limit for each. For one look, and one thread.
 */
public final class PatientClaims implements ClaimSource {
    /** An API server that is well answers in milliseconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ClaimSource claims;
    private final LongSupplier nanos;
    private long waited;

    /** With a clock such as {@link System#nanoTime}. */
    public PatientClaims(ClaimSource claims, LongSupplier nanos) {
        this.claims = claims;
        this.nanos = nanos;
    }

    @Override
    public Standing standing(ClaimRef claim) {
        if (waited >= PATIENCE.toNanos()) {
            return Standing.UNKNOWN;
        }
        long begin = nanos.getAsLong();
        Standing standing = claims.standing(claim);
        if (standing == Standing.UNKNOWN) {
            waited += nanos.getAsLong() - begin;
        }
        return standing;
    }
}
