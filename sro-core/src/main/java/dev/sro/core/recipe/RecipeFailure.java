package dev.sro.core.recipe;

import dev.sro.api.Problem;
import java.io.Serial;

/** A plugin or a chart did not give an answer; carries the problem that the user is shown. */
public final class RecipeFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    RecipeFailure(Problem problem, Throwable cause) {
        super(problem.message(), cause);
        this.problem = problem;
    }

    /** With a problem of the recipe. */
    public RecipeFailure(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    /** What went wrong, with the name of the plugin or chart. */
    public Problem problem() {
        return problem;
    }
}
