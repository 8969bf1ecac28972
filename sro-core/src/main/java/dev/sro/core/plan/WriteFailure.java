package dev.sro.core.plan;

import dev.sro.api.Problem;
import java.time.Instant;

/**
 * A write that the API server refused. Immutable.
 *
 * @param problem why
 * @param retryAt not before this time is it tried again
 * @param attempts how often it was tried in a row
 * @param tells what is known by it
 */
public record WriteFailure(Problem problem, Instant retryAt, int attempts, Tells tells) {

    /** What a refusal tells of. */
    public enum Tells {
        /** This attempt; the next one may succeed. */
        THE_ATTEMPT,
        /** The object: it is somebody else's. */
        OTHERS_OBJECT,
        /** The object: its kind does not have a field of it. */
        UNDECLARED_FIELD
    }

    /** One that tells of the attempt alone. */
    public WriteFailure(Problem problem, Instant retryAt, int attempts) {
        this(problem, retryAt, attempts, Tells.THE_ATTEMPT);
    }

    /** Whether it goes on being true when nobody tries any more. */
    public boolean isOfTheObject() {
        return tells != Tells.THE_ATTEMPT;
    }
}
