package dev.sro.core.recipe;

import dev.sro.api.Problem;
import java.io.Serial;

/** A call into a plugin did not give an answer; carries the problem that the user is shown. */
public final class PluginFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    PluginFailure(Problem problem, Throwable cause) {
        super(problem.message(), cause);
        this.problem = problem;
    }

    PluginFailure(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    /** What went wrong, with the plugin's name. */
    public Problem problem() {
        return problem;
    }
}
