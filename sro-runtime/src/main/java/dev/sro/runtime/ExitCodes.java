package dev.sro.runtime;

/** What the process returns. */
public final class ExitCodes {

    /** All is well. */
    public static final int OK = 0;

    /** The command ran, and what it looked at is not well. */
    public static final int FAILED = 1;

    /** Wrong arguments or unreadable input: nothing was done. */
    public static final int USAGE = 2;

    private ExitCodes() {}
}
