package dev.sro.core.embed;

/** The ways in which a {@link SpecialResourceOperator} ends. */
public enum OperatorEnd {
    /** It was closed. */
    STOPPED,
    /** Another replica leads: this one writes nothing any more. Close it, and build another one to stand by again. */
    LEASE_LOST,
    /** It leads and could not begin, whatever it tried; the log has why. Another replica, or a new process, may. */
    NOT_STARTED
}
