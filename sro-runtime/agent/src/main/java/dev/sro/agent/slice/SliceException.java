package dev.sro.agent.slice;

/** A slice that a claim does not get, or that does not go. The message is for the person whose pod waits. */
public final class SliceException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** What is asked for cannot be: unknown GPU, profile or start. */
        INVALID,
        /** Another claim has the place. */
        HELD,
        /** An instance that is not ours has the place. */
        FOREIGN,
        /** The driver refused. */
        DEVICE,
        /** What is done could not be written down. */
        STORAGE
    }

    private final Reason reason;

    SliceException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    SliceException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
