package dev.sro.testkit.server;

/** The path leads nowhere: the answer is a plain text instead of a Status. */
final class NoSuchPathException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoSuchPathException() {
        super("404 page not found", null, false, false);
    }
}
