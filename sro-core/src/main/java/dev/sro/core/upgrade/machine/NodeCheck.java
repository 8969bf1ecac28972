package dev.sro.core.upgrade.machine;

import java.util.Objects;

/**
 * How a check that somebody else makes on a node stands: the validation of the driver, or the maintenance that another operator was
 * asked for. Immutable.
 *
 * @param state of it
 * @param message for people; may be empty
 */
public record NodeCheck(State state, String message) {

    /** States of a check. */
    public enum State {
        /** Not asked for, or its object is gone. */
        ABSENT,
        /** Not there yet. */
        WAITING,
        /** Passed. */
        READY,
        /** Failed for good. */
        FAILED
    }

    /** Not asked for. */
    public static final NodeCheck ABSENT = new NodeCheck(State.ABSENT, "");

    /** Passed. */
    public static final NodeCheck READY = new NodeCheck(State.READY, "");

    /** Checks. */
    public NodeCheck {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(message, "message");
    }

    /** Not there yet. */
    public static NodeCheck waiting(String message) {
        return new NodeCheck(State.WAITING, message);
    }

    /** Failed. */
    public static NodeCheck failed(String message) {
        return new NodeCheck(State.FAILED, message);
    }
}
