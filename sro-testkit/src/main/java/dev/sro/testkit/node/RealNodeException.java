package dev.sro.testkit.node;

/** A node, or what it needs, that is not there or does not do what it is asked. The message says which and why. */
public final class RealNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RealNodeException(String message) {
        super(message);
    }

    RealNodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
