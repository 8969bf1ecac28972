package dev.sro.core.recipe.gotemplate;

import org.jspecify.annotations.Nullable;

/** Ends an execution; {@link Execution} knows where it is. */
final class EvaluationError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EvaluationError(String message) {
        this(message, null);
    }

    EvaluationError(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }
}
