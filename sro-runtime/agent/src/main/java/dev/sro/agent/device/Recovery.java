package dev.sro.agent.device;

/** What a driver says a GPU needs to be well. */
public enum Recovery {
    /** Nothing. */
    NONE,
    /** A reset. */
    RESET,
    /** A reboot, or that somebody looks at it. */
    NEEDED,
    /** The driver does not say. */
    UNKNOWN
}
