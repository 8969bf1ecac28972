package dev.sro.core.engine;

import dev.sro.api.Problem;
import java.time.Duration;

/** What a special resource says when a reconcile fails in a way that nobody thought of. Stateless. */
final class UnexpectedFailure {

    /** Nothing may tell when it is over. */
    static final Duration AGAIN = Duration.ofMinutes(1);

    private static final int MAX_MESSAGE = 300;

    private UnexpectedFailure() {}

    static Problem problem(Throwable failure) {
        return Problem.platform(
                "UnexpectedFailure",
                "SRO cannot say what is to be done: " + why(failure)
                        + "; what there is stays as it is, and it is tried again every minute. The log of the operator has"
                        + " more; please report it");
    }

    private static String why(Throwable failure) {
        if (failure instanceof StackOverflowError) {
            return "something in the special resource or its recipe is nested too deeply";
        }
        if (failure instanceof OutOfMemoryError) {
            return "something in the special resource or its recipe takes more memory than the operator has";
        }
        String message = failure.getMessage();
        String text = message == null || message.isBlank() ? "an error without a message" : message.strip();
        return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE) + "…";
    }
}
