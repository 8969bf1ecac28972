package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import java.io.Serial;

/** A chart cannot be read or rendered; carries the problem that the user is shown. */
public final class ChartException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    /** With the problem that the user is shown. */
    public ChartException(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    ChartException(Problem problem, Throwable cause) {
        super(problem.message(), cause);
        this.problem = problem;
    }

    /** The chart breaks a rule of Helm; its author can mend it. */
    static ChartException invalid(String message) {
        return new ChartException(new Problem("InvalidChart", message, Problem.Owner.VENDOR, false));
    }

    /** The chart is not one that anybody should unpack. */
    static ChartException unsafe(String message) {
        return new ChartException(new Problem("UnsafeChart", message, Problem.Owner.VENDOR, false));
    }

    /** What is wrong, with the names of chart and file and what to do. */
    public Problem problem() {
        return problem;
    }
}
