package dev.sro.core.probe;

/**
 * What is known of the logs of a pod. Immutable.
 *
 * @param kind how far it is
 * @param detail why they cannot be read; of {@link LogQuery#END} the end of the log; otherwise empty
 */
public record LogState(Kind kind, String detail) {

    /** How far it is. */
    public enum Kind {
        /** The text was found. */
        FOUND,
        /** They were not read yet. */
        UNREAD,
        /** They were read, and the text was not there. */
        NOT_THERE,
        /** They could not be read, and will be tried again. */
        UNREADABLE,
        /** SRO may not read them. */
        FORBIDDEN
    }

    /** Without a detail. */
    public static LogState of(Kind kind) {
        return new LogState(kind, "");
    }
}
