package dev.sro.core.manifest;

import dev.sro.api.Problem;
import java.io.Serial;

/** A manifest cannot be turned into objects; carries the problem that the user is shown. */
public final class RenderException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    RenderException(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    /** What the vendor of the recipe has to change. */
    public static RenderException vendor(String code, String message) {
        return new RenderException(new Problem(code, message, Problem.Owner.VENDOR, false));
    }

    /** What is wrong, and with what. */
    public Problem problem() {
        return problem;
    }
}
