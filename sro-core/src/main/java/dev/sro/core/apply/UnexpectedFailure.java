package dev.sro.core.apply;

import dev.sro.api.Problem;
import dev.sro.core.model.ObjectRef;
import java.time.Duration;

/** What a special resource says when a reconcile fails in a way that nobody thought of. Stateless. */
public final class UnexpectedFailure {

    /** After this time it is tried again: nothing may tell when it is over. */
    public static final Duration AGAIN = Duration.ofMinutes(1);

    private static final int MAX_MESSAGE = 300;

    private UnexpectedFailure() {}

    /** While it was made out what is to be done. */
    public static Problem planning(Throwable failure) {
        return Problem.platform(
                "UnexpectedFailure",
                "SRO cannot say what is to be done: " + why(failure)
                        + "; what there is stays as it is, and it is tried again every minute. The log of the operator has"
                        + " more; please report it");
    }

    /** While an object was written. */
    static Problem writing(ObjectRef ref, Throwable failure) {
        return Problem.platform(
                "UnexpectedFailure",
                ref + ": SRO cannot write it: " + why(failure)
                        + "; it is tried again every minute. The log of the operator has more; please report it");
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
