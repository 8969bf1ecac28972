package dev.sro.core.driver;

import dev.sro.api.Problem;
import java.io.Serial;

/** What is said of a driver makes no sense; carries the problem that the user is shown. */
public final class DriverException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    DriverException(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    /** What the user has to change. */
    static DriverException invalid(String field, String rule) {
        return new DriverException(Problem.user("InvalidDriver", field + ": " + rule));
    }

    /** What is wrong, and with what. */
    public Problem problem() {
        return problem;
    }
}
