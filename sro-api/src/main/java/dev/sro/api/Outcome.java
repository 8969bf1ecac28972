package dev.sro.api;

import java.time.Instant;

/**
 * Progress of something: a state, a state in one pool, or a state on one node.
 *
 * <p>Waiting is normal and never reported as an error. Values are immutable.
 *
 * @since 0.1.0
 */
public sealed interface Outcome {

    /** It is done and was validated. */
    record Ready() implements Outcome {}

    /**
     * It is not done yet, and nothing is wrong.
     *
     * @param reason CamelCase word for machines, for example {@code BuildRunning}
     * @param since when the wait for this reason began
     * @param on what is waited for, for a person: the object, and how far it is
     */
    record Waiting(String reason, Instant since, String on) implements Outcome {}

    /** It cannot get done unless somebody acts, or a retry helps: see the problem. */
    record Failed(Problem problem) implements Outcome {}

    /** The one Ready value. */
    static Outcome ready() {
        return ReadyHolder.READY;
    }

    /** Shorthand for {@link Waiting}. */
    static Outcome waiting(String reason, Instant since, String on) {
        return new Waiting(reason, since, on);
    }

    /** Shorthand for {@link Failed}. */
    static Outcome failed(Problem problem) {
        return new Failed(problem);
    }

    /** True for {@link Ready}. */
    default boolean isReady() {
        return this instanceof Ready;
    }

    /** True for {@link Failed}. */
    default boolean isFailed() {
        return this instanceof Failed;
    }

    /** The worse of the two: failed before waiting before ready; the first one if they are of one kind. */
    static Outcome worse(Outcome a, Outcome b) {
        return rank(b) > rank(a) ? b : a;
    }

    private static int rank(Outcome outcome) {
        if (outcome instanceof Failed) {
            return 2;
        }
        return outcome instanceof Waiting ? 1 : 0;
    }
}
