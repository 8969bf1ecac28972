package dev.sro.testkit.server;

/** A fault: the connection broke after the request had taken effect (or before, if it was refused), and no answer came. */
public final class LostAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostAnswerException(String what) {
        super("connection reset: " + what);
    }
}
