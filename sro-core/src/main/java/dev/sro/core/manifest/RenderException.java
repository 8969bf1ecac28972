package dev.sro.core.manifest;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import java.io.Serial;

/** A manifest cannot be turned into objects; carries the problem that the user is shown. */
public final class RenderException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    RenderException(Problem problem) {
        super(problem.message());
        this.outcome = Outcome.failed(problem);
    }

    /** Nothing is wrong, and something comes first. */
    RenderException(Outcome.Waiting waiting) {
        super(waiting.on());
        this.outcome = waiting;
    }

    /** What is waited for, or what is wrong. */
    static RenderException of(Outcome outcome) {
        if (outcome instanceof Outcome.Waiting waiting) {
            return new RenderException(waiting);
        }
        if (outcome instanceof Outcome.Failed failed) {
            return new RenderException(failed.problem());
        }
        throw new IllegalArgumentException("nothing stands in the way");
    }

    /** What the vendor of the recipe has to change. */
    public static RenderException vendor(String code, String message) {
        return new RenderException(new Problem(code, message, Problem.Owner.VENDOR, false));
    }

    /** What is waited for, or what is wrong. */
    Outcome outcome() {
        return outcome;
    }

    /**
     * What is wrong, and with what.
     *
     * @throws IllegalStateException if nothing is, and something is waited for
     */
    public Problem problem() {
        if (outcome instanceof Outcome.Failed failed) {
            return failed.problem();
        }
        throw new IllegalStateException("nothing is wrong: " + getMessage(), this);
    }
}
